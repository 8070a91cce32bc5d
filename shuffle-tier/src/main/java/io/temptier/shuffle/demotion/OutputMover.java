// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.FileMover;
import io.temptier.tier.demotion.LinkReserve;
import io.temptier.tier.demotion.MoveControl;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.MoveStoppedException.MoveResult;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.OwnFolder;
import io.temptier.tier.os.UserFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves one map output to a slower dir by {@link FileMover}, to the same relative path. A link in a
 * faster dir leads to the link that is left, and so to the copy. What a process that was killed
 * left is removed by {@link Leftovers}.
 *
 * <p>Nothing is moved unless every folder from the two dirs down belongs to this process's user, is
 * no link and is not writable for all. So no other user can exchange one between a check and the
 * step after it.
 *
 * <p>The NodeManager, deleting an application, leaves a folder behind when something of a move
 * appears in it at the wrong moment. It is removed once it is empty, which may take some tries
 * while the NodeManager is still at it ({@link #sweepEnded}). Safe for use by many threads.
 */
final class OutputMover extends Mover {
  private static final Logger LOG = LoggerFactory.getLogger(OutputMover.class);

  /**
   * Time after which nothing is tried any more: a NodeManager that deletes later finds nothing of
   * ours in its way.
   */
  private static final long TRIES_NANOS = Duration.ofMinutes(10).toNanos();

  private final MoveContext context;

  /** Folders of moves whose application ended meanwhile, with the times since when. */
  private final Map<Path, Long> endedNanos = new ConcurrentHashMap<>();

  OutputMover(MoveContext context) {
    this.context = context;
  }

  @Override
  Path grows(Candidate candidate, LocalDir target) {
    return candidate.partialIn(target);
  }

  @Override
  void run(
      Map<Candidate, LocalDir> targets, MoveControl control, BiConsumer<Candidate, LocalDir> moved)
      throws IOException {
    for (Map.Entry<Candidate, LocalDir> each : targets.entrySet()) {
      Candidate candidate = each.getKey();
      LocalDir target = each.getValue();
      try {
        moveTo(candidate, target, control);
      } catch (MoveStoppedException e) {
        throw e;
      } catch (IOException e) {
        if (control.ended()) {
          // What it failed on is what the NodeManager deletes.
          throw new MoveStoppedException(
              MoveResult.GIVEN_UP, candidate.id().application() + " runs no more");
        }
        throw new IOException("to " + target + ": " + e, e);
      }
      moved.accept(candidate, target);
    }
  }

  /** Moves an output to a place that is claimed. */
  void moveTo(Candidate candidate, LocalDir target, MoveControl control) throws IOException {
    requireOwn(candidate.dir(), candidate.id());
    FileMover.Route route =
        FileMover.Route.of(
            candidate.file(),
            candidate.stamp(),
            candidate.file(),
            candidate.link(),
            candidate.partialIn(target),
            candidate.fileIn(target),
            target);
    new FileMover(route, owner(candidate, target), control)
        .move(
            context.pace.partBytes(), Immutable.listOf(LinkReserve.ofNode(candidate.dir().path())));
  }

  private FileMover.Owner owner(Candidate candidate, LocalDir target) {
    return new FileMover.Owner() {
      @Override
      public FileChannel open(Path moved) throws IOException {
        Path file = candidate.id().relativePath().resolve(MapOutputId.DATA);
        return UserFile.openRegular(candidate.dir().path(), file, MoveContext.PATIENCE);
      }

      @Override
      public boolean replace(Path name, FileStamp copied, Path link) throws IOException {
        if (!FileStamp.find(name).filter(copied::unchanged).isPresent()) {
          return false;
        }
        FileMover.exchange(link, name);
        return true;
      }

      @Override
      public void foldersMade() throws IOException {
        requireOwn(target, candidate.id());
      }

      @Override
      public void takenBackAtEnd() {
        deleteEnded(candidate.folderIn(candidate.dir()));
        deleteEnded(candidate.folderIn(target));
      }
    };
  }

  private void deleteEnded(Path folder) {
    if (!delete(folder)) {
      endedNanos.put(folder, System.nanoTime());
    }
  }

  /** Tries again what moves of ended applications left in a dir. */
  void sweepEnded(LocalDir dir) {
    endedNanos.forEach(
        (folder, since) -> {
          if (folder.startsWith(dir.path())
              && (System.nanoTime() - since > TRIES_NANOS || delete(folder))) {
            endedNanos.remove(folder);
          }
        });
  }

  /** True if nothing is left to be swept in any dir. */
  boolean swept() {
    return endedNanos.isEmpty();
  }

  /** Removes what is empty; true when nothing of the application is left. */
  private static boolean delete(Path folder) {
    Path outputs = Objects.requireNonNull(folder.getParent());
    Path application = Objects.requireNonNull(outputs.getParent());
    FileMover.deleteFolder(folder);
    FileMover.deleteFolder(outputs);
    FileMover.deleteFolder(application);
    return !Files.exists(application, LinkOption.NOFOLLOW_LINKS);
  }

  /** Goes no further where somebody else may have a say. */
  private void requireOwn(LocalDir dir, MapOutputId id) throws IOException {
    try (@Nullable OwnFolder folder =
        OwnFolder.open(dir.path(), id.relativePath(), context.ownUid).orElse(null)) {
      if (folder != null) {
        return;
      }
    } catch (OwnFolder.ForeignException | AccessDeniedException e) {
      LOG.debug("Not ours alone", e);
    }
    throw new MoveStoppedException(
        MoveResult.GIVEN_UP,
        dir.path().resolve(id.relativePath()) + " or a folder above is not this user's alone");
  }
}
