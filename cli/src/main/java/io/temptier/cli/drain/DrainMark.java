// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.drain;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.Deadline;
import io.temptier.tier.LocalDir;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.settings.NodeTiers;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * The file by which an operator has a dir emptied. It lies in the NodeManager's folder of the dir,
 * so only its user and root can make it, and no restart forgets it.
 */
final class DrainMark {
  private static final Duration HANGS = Duration.ofMinutes(2);

  private final List<Path> others;
  private final Path mark;

  private DrainMark(Path dir, List<Path> others) {
    this.others = others;
    this.mark = dir.resolve(NodeMarker.DIR).resolve(NodeMarker.DRAIN);
  }

  /** Of a local dir of this node; ends the command when it is none. */
  static DrainMark of(Path dir) {
    NodeTiers tiers =
        NodeMarker.read(dir)
            .orElseThrow(
                () ->
                    new CommandFailure(
                        dir
                            + " is no local dir of a NodeManager with TempTier: it has no marker,"
                            + " .temptier/layout. Give the path as in"
                            + " yarn.nodemanager.local-dirs."));
    List<Path> others =
        tiers.layout().dirs().stream()
            .map(LocalDir::path)
            .collect(Collectors.toCollection(ArrayList::new));
    if (!others.remove(dir)) {
      throw new CommandFailure(
          dir
              + " is not among this node's local dirs "
              + others
              + "; its marker is of another path. Is it mounted where it belongs?");
    }
    if (others.isEmpty()) {
      throw new CommandFailure(
          dir + " is the node's only local dir: decommission the node instead.");
    }
    return new DrainMark(dir, others);
  }

  List<Path> others() {
    return others;
  }

  /** Has the dir be emptied; false when it is already. */
  boolean set() {
    try {
      Files.createFile(mark);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (IOException e) {
      throw cannot("make", e);
    }
  }

  /** Lets new files in again; false when the dir was not being emptied. */
  boolean clear() {
    try {
      return Files.deleteIfExists(mark);
    } catch (IOException e) {
      throw cannot("delete", e);
    }
  }

  private CommandFailure cannot(String what, IOException e) {
    String why =
        e instanceof AccessDeniedException
            ? ". Run this as the NodeManager's user or root."
            : ": " + e;
    return new CommandFailure("Cannot " + what + " " + mark + why, e);
  }

  /**
   * Does what a dir's disk may take long for, in many steps. Ends the command when a step does not
   * end in time, as of a disk that is to be pulled.
   *
   * @param step when the last one ended, {@link System#nanoTime}
   */
  static <T> T unlessItHangs(Path dir, AtomicLong step, Callable<T> work)
      throws InterruptedException {
    try {
      return Deadline.within(HANGS, "drain", step, work);
    } catch (TimeoutException e) {
      throw new CommandFailure(
          String.format(
              "The disk of %s or of another local dir hangs: nothing came for %d s. Nothing new is"
                  + " placed in a dir that does not answer. Take it out of"
                  + " yarn.nodemanager.local-dirs and temptier.local-dirs, and restart the"
                  + " NodeManager.",
              dir, HANGS.getSeconds()),
          e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CommandFailure) {
        throw (CommandFailure) e.getCause();
      }
      throw new CommandFailure("Cannot look into " + dir + ": " + e.getCause(), e);
    }
  }
}
