// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.FileStamp;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes back what a move made; of an application that ended also the link. */
final class Undo {
  private static final Logger LOG = LoggerFactory.getLogger(Undo.class);

  private final MovePaths paths;
  private final List<LocalDir> repointed = new ArrayList<>();
  private boolean folderMade;
  private boolean copying;
  private boolean named;

  Undo(MovePaths paths) {
    this.paths = paths;
  }

  /** The copy's folder is ours to remove. */
  void madeFolder() {
    folderMade = true;
  }

  /** From now on a file of the copy's temporary name is ours. */
  void copying() {
    copying = true;
  }

  /** From now on a file of the copy's name is ours. */
  void naming() {
    named = true;
  }

  /** A link in a faster dir may be made anew. */
  void repoints(LocalDir dir) {
    repointed.add(dir);
  }

  /** The dirs in which the move made something. */
  List<LocalDir> dirs() {
    List<LocalDir> all = new ArrayList<>(repointed);
    all.add(paths.candidate().dir());
    all.add(paths.target());
    return all;
  }

  /**
   * Takes everything back.
   *
   * @param ended whether the application is over, and nobody needs its data
   */
  void run(boolean ended) {
    for (LocalDir dir : ended ? repointed : Immutable.<LocalDir>listOf()) {
      deleteLink(
          dir.path().resolve(paths.candidate().id().relativePath()).resolve(MapOutputId.DATA));
    }
    delete(paths.link());
    boolean linked = linked();
    if (linked && !ended) {
      // The rename was done and reported as failed. Then the move is done.
      return;
    }
    if (linked) {
      delete(paths.candidate().file());
    }
    if (copying) {
      delete(paths.partial());
    }
    if (named) {
      delete(paths.copy());
    }
    if (folderMade) {
      deleteFolder(paths.folder());
    }
  }

  private boolean linked() {
    try {
      return Files.readSymbolicLink(paths.candidate().file()).equals(paths.copy());
    } catch (NotLinkException | NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      // It may be one. Then the copy is all there is; what is too much is removed another time.
      return true;
    }
  }

  private static void delete(Path path) {
    try {
      if (!FileStamp.find(path).filter(FileStamp::directory).isPresent()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      LOG.warn(
          "Cannot delete {}, which demotion made; it is tried again when its application is looked"
              + " through, and goes with it in any case: {}",
          path,
          e.toString());
    }
  }

  /** Deletes a link, and nothing else that may lie there. */
  static void deleteLink(Path link) {
    if (Files.isSymbolicLink(link)) {
      delete(link);
    }
  }

  /** Deletes a folder that is empty. */
  static void deleteFolder(Path folder) {
    try {
      Files.delete(folder);
    } catch (NoSuchFileException | DirectoryNotEmptyException e) {
      // As it should be.
    } catch (IOException e) {
      LOG.debug("Cannot delete {}", folder, e);
    }
  }
}
