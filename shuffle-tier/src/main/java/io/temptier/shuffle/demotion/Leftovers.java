// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.TierLayout;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.os.OwnFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Removes what a process that was killed in the middle of a move left of an application in a dir:
 * files and links of temporary names; the slower one of two whole copies; the folder that was made
 * for a copy. A link to a link is made to lead to the data. Only in folders of this process's user,
 * to which no link leads. Safe for use by many threads.
 */
final class Leftovers {
  private final TierLayout layout;
  private final CompleteOutput complete;
  private final OtherDirs others;
  private final int ownUid;
  private final OutputUse use;
  private final MoveListener listener;

  /**
   * What looks for leftovers.
   *
   * @param complete tells whole outputs from others
   * @param others looks into the dirs of other threads
   * @param ownUid in whose folders
   * @param use an output that is being moved is left alone
   * @param listener told of outputs one copy of which is gone
   */
  Leftovers(
      TierLayout layout,
      CompleteOutput complete,
      OtherDirs others,
      int ownUid,
      OutputUse use,
      MoveListener listener) {
    this.layout = layout;
    this.complete = complete;
    this.others = others;
    this.ownUid = ownUid;
    this.use = use;
    this.listener = listener;
  }

  /**
   * Looks through the folders of an application in a dir. That dir is waited for, and no other.
   *
   * @return how many files and links were removed
   * @throws OtherDirs.NoAnswerException when another dir did not say what lies there; the rest was
   *     tried nevertheless, and so it is with others
   * @throws IOException when something could not be removed
   */
  int remove(LocalDir dir, String user, String application) throws IOException {
    int removed = 0;
    IOException first = null;
    try (@Nullable OwnFolder outputs =
        OwnFolder.open(dir.path(), OutputScanner.outputs(user, application), ownUid).orElse(null)) {
      if (outputs == null) {
        return 0;
      }
      for (String name : outputs.names(OutputScanner.ATTEMPT)) {
        MapOutputId id = MapOutputId.of(user, application, name);
        if (OutputScanner.isFinal(name) && use.beginCleaning(id)) {
          try {
            removed += clean(dir, id, outputs);
          } catch (OwnFolder.ForeignException e) {
            // Nothing of ours is there.
          } catch (OtherDirs.NoAnswerException e) {
            // It is this that has to be told, as it is worth another try.
            first = e;
          } catch (IOException e) {
            first = first == null ? e : first;
          } finally {
            use.endCleaning(id);
          }
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

  private int clean(LocalDir dir, MapOutputId id, OwnFolder outputs) throws IOException {
    int removed = 0;
    boolean elsewhere;
    try (@Nullable OwnFolder folder = outputs.child(id.attempt()).orElse(null)) {
      if (folder == null) {
        return 0;
      }
      removed += folder.deleteFile(MovePaths.COPY) ? 1 : 0;
      removed += folder.deleteFile(MovePaths.LINK) ? 1 : 0;
      Path data = folder.path().resolve(MapOutputId.DATA);
      Optional<FileStamp> stamp = FileStamp.find(data);
      OptionalLong faster = wholeInFaster(dir, id);
      elsewhere = faster.isPresent();
      if (elsewhere && stamp.filter(FileStamp::regular).isPresent()) {
        if (stamp.get().bytes() == faster.getAsLong() && folder.deleteFile(MapOutputId.DATA)) {
          removed++;
          listener.moved(id);
        }
      } else if (stamp.isPresent() && Files.isSymbolicLink(data)) {
        shorten(folder, id);
      }
    }
    if (elsewhere) {
      // An attempt with a whole output writes nothing more, so nobody needs its empty folder.
      outputs.deleteIfEmpty(id.attempt());
    }
    return removed;
  }

  /** How long the output is that lies whole in a faster dir; empty if a link leads from there. */
  private OptionalLong wholeInFaster(LocalDir dir, MapOutputId id) throws IOException {
    for (LocalDir faster : layout.dirs()) {
      if (faster.equals(dir)) {
        break;
      }
      Path file = data(faster, id);
      Optional<FileStamp> there = others.look(faster, () -> FileStamp.find(file));
      if (there.filter(FileStamp::regular).isPresent()) {
        if (complete.isElsewhere(id, faster, there.get().bytes())) {
          return OptionalLong.of(there.get().bytes());
        }
      } else if (there.isPresent()
          && target(faster, file).filter(data(dir, id)::equals).isPresent()) {
        // Whatever a move that failed left in the dirs between the two, readers come here.
        break;
      }
    }
    return OptionalLong.empty();
  }

  /** Where a link in another dir leads; empty when there is none. */
  private Optional<Path> target(LocalDir dir, Path link) throws IOException {
    return others.look(
        dir,
        () ->
            Files.isSymbolicLink(link)
                ? Optional.of(Files.readSymbolicLink(link))
                : Optional.empty());
  }

  /** Where the link leads to another one, in a slower dir, has it lead where that leads. */
  private void shorten(OwnFolder folder, MapOutputId id) throws IOException {
    List<Path> places =
        layout.dirs().stream().map(dir -> data(dir, id)).collect(Immutable.toList());
    Path next = Files.readSymbolicLink(folder.path().resolve(MapOutputId.DATA));
    int place = places.indexOf(next);
    if (place < 0) {
      return;
    }
    Optional<Path> last = target(layout.dirs().get(place), next);
    if (last.isPresent() && places.indexOf(last.get()) > place) {
      UpperLinks.repoint(folder, next, last.get(), step -> {});
      listener.moved(id);
    }
  }

  private static Path data(LocalDir dir, MapOutputId id) {
    return dir.path().resolve(id.relativePath()).resolve(MapOutputId.DATA);
  }
}
