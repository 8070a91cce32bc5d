// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.FileMover;
import io.temptier.tier.os.OwnFolder;
import io.temptier.tier.os.TimedCalls.LateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes back moves in the middle of which a process was killed. The link of a temporary name, which
 * a move makes first and removes last, tells of them: it leads to where the copy was to be. Removes
 * only in folders of this process's user, to which no link leads. Safe for use by many threads.
 */
final class Leftovers {
  private final MoveContext context;
  private final Consumer<MapOutputId> changed;

  /** {@code changed} hears of outputs one copy of which is gone. */
  Leftovers(MoveContext context, Consumer<MapOutputId> changed) {
    this.context = context;
    this.changed = changed;
  }

  /**
   * Looks through the folders of an application in a dir. That dir is waited for, and no other.
   *
   * @return how many files and links were removed
   * @throws LateException when another dir did not say what lies there; the rest was tried
   *     nevertheless, and so it is with others
   * @throws IOException when something could not be removed
   */
  int remove(LocalDir dir, String user, String application) throws IOException {
    int removed = 0;
    IOException first = null;
    try (@Nullable OwnFolder outputs =
        OwnFolder.open(dir.path(), MapOutputId.outputs(user, application), context.ownUid)
            .orElse(null)) {
      if (outputs == null) {
        return 0;
      }
      for (String name : outputs.names(MapOutputId.ATTEMPT)) {
        MapOutputId id = MapOutputId.of(user, application, name);
        if (!id.isFinal()) {
          continue;
        }
        try (@Nullable OwnFolder folder = outputs.child(name).orElse(null)) {
          if (folder != null) {
            removed += clean(dir, id, folder);
          }
        } catch (OwnFolder.ForeignException e) {
          // Nothing of ours is there.
        } catch (IOException e) {
          // A late one has to be told, as it is worth another try.
          first = first == null || e instanceof LateException ? e : first;
        }
      }
    } catch (OwnFolder.ForeignException e) {
      return removed;
    }
    if (first != null) {
      throw first;
    }
    return removed;
  }

  /** Counts an application's moves out of a dir that were begun and neither done nor taken back. */
  static int count(LocalDir dir, String user, String application, int uid) throws IOException {
    int found = 0;
    try (@Nullable OwnFolder outputs =
        OwnFolder.open(dir.path(), MapOutputId.outputs(user, application), uid).orElse(null)) {
      if (outputs != null) {
        for (String name : outputs.names(MapOutputId.ATTEMPT)) {
          Path link = outputs.path().resolve(name).resolve(Candidate.LINK);
          found += Files.isSymbolicLink(link) ? 1 : 0;
        }
      }
    } catch (OwnFolder.ForeignException e) {
      // Nothing of the user's is there.
    }
    return found;
  }

  private int clean(LocalDir dir, MapOutputId id, OwnFolder folder) throws IOException {
    // A look that fails is no answer.
    if (!folder.look(Candidate.LINK).filter(BasicFileAttributes::isSymbolicLink).isPresent()) {
      return 0;
    }
    Path begun = folder.path().resolve(Candidate.LINK);
    Path folderOfCopy = Files.readSymbolicLink(begun).getParent();
    List<LocalDir> dirs = context.dirs;
    Optional<LocalDir> below =
        dirs.subList(dirs.indexOf(dir) + 1, dirs.size()).stream()
            .filter(slower -> slower.path().resolve(id.relativePath()).equals(folderOfCopy))
            .findFirst();
    return below.isPresent()
        ? context.look(below.get(), () -> takeBack(dir, id, below.get()))
        : takeBack(dir, id, dir);
  }

  /**
   * Removes the copy of a move that did not come to its end, and then the link that tells of it.
   * May be late, and so looks again whether the output is still there.
   */
  private int takeBack(LocalDir dir, MapOutputId id, LocalDir below) throws IOException {
    if (!context.take(id)) {
      return 0;
    }
    try (@Nullable OwnFolder folder =
        OwnFolder.open(dir.path(), id.relativePath(), context.ownUid).orElse(null)) {
      if (folder == null) {
        return 0;
      }
      Optional<BasicFileAttributes> data =
          folder.look(MapOutputId.DATA).filter(BasicFileAttributes::isRegularFile);
      int removed =
          data.isPresent() && !below.equals(dir) ? deleteCopy(below, id, data.get().size()) : 0;
      return removed + (folder.deleteFile(Candidate.LINK) ? 1 : 0);
    } finally {
      context.release(id);
    }
  }

  private int deleteCopy(LocalDir below, MapOutputId id, long bytes) throws IOException {
    int removed = 0;
    try (@Nullable OwnFolder outputs =
        OwnFolder.open(
                below.path(), MapOutputId.outputs(id.user(), id.application()), context.ownUid)
            .orElse(null)) {
      if (outputs == null) {
        return 0;
      }
      try (@Nullable OwnFolder folder = outputs.child(id.attempt()).orElse(null)) {
        if (folder == null) {
          return 0;
        }
        removed += folder.deleteFile(Candidate.COPY) ? 1 : 0;
        if (folder
                .look(MapOutputId.DATA)
                .filter(file -> file.isRegularFile() && file.size() == bytes)
                .isPresent()
            && folder.deleteFile(MapOutputId.DATA)) {
          removed++;
          changed.accept(id);
        }
      }
      // An attempt with a whole output writes nothing more, so nobody needs its empty folder.
      outputs.deleteIfEmpty(id.attempt());
      // Or a power cut might bring back the copy, and no link that tells of it.
      FileMover.flushFolder(outputs.path());
      FileMover.flushFolder(outputs.path().resolve(id.attempt()));
    } catch (OwnFolder.ForeignException e) {
      // Nothing of ours is there.
    }
    return removed;
  }
}
