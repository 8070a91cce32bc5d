/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.TierLayout;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Removes what a process that was killed in the middle of a move left of an application: files and
 * links of temporary names; the slower one of two whole copies; the folder that was made for a
 * copy. Nothing may be moved meanwhile.
 */
final class Leftovers {
  /** A folder of an attempt. */
  private record Found(LocalDir dir, Path folder) {}

  private final TierLayout layout;
  private final CompleteOutput complete;
  private final MoveListener listener;

  /**
   * What looks for leftovers.
   *
   * @param complete tells whole outputs from others
   * @param listener told of outputs one copy of which is gone
   */
  Leftovers(TierLayout layout, CompleteOutput complete, MoveListener listener) {
    this.layout = layout;
    this.complete = complete;
    this.listener = listener;
  }

  /**
   * Looks through the folders of an application.
   *
   * @return how many files and links were removed
   * @throws IOException when something could not be; the rest was tried nevertheless
   */
  int remove(String user, String application) throws IOException {
    Problems problems = new Problems();
    Map<String, List<Found>> attempts = new TreeMap<>();
    for (LocalDir dir : layout.dirs()) {
      problems.guard(
          () -> {
            for (Path folder : OutputScanner.attempts(dir, user, application)) {
              attempts
                  .computeIfAbsent(String.valueOf(folder.getFileName()), any -> new ArrayList<>())
                  .add(new Found(dir, folder));
            }
            return 0;
          });
    }
    int removed = 0;
    for (Map.Entry<String, List<Found>> attempt : attempts.entrySet()) {
      MapOutputId id = new MapOutputId(user, application, attempt.getKey());
      for (Found found : attempt.getValue()) {
        removed += problems.guard(() -> removeTemporary(found.folder()));
      }
      if (attempt.getValue().size() > 1) {
        removed += problems.guard(() -> removeDoubles(id, attempt.getValue()));
      }
    }
    problems.rethrow();
    return removed;
  }

  private static int removeTemporary(Path folder) throws IOException {
    int removed = 0;
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(folder, MovePaths.TEMPORARY + "*")) {
      for (Path file : files) {
        removed += Files.deleteIfExists(file) ? 1 : 0;
      }
    } catch (NoSuchFileException e) {
      return removed;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return removed;
  }

  /** Keeps the fastest whole output; without one, everything is left as it is. */
  private int removeDoubles(MapOutputId id, List<Found> folders) throws IOException {
    long kept = -1;
    int removed = 0;
    for (Found found : folders) {
      Path file = found.folder().resolve(MapOutputId.DATA);
      Optional<FileStamp> stamp = FileStamp.find(file);
      if (stamp.isPresent() && stamp.get().regular()) {
        long bytes = stamp.get().bytes();
        if (kept < 0) {
          kept = complete.is(id, bytes) ? bytes : kept;
        } else if (kept == bytes) {
          Files.delete(file);
          listener.moved(id);
          removed++;
        }
      }
      if (kept >= 0) {
        removeEmpty(found.folder());
      }
    }
    return removed;
  }

  /** An attempt with a whole output writes nothing more, so nobody needs its empty folder. */
  private static void removeEmpty(Path folder) throws IOException {
    try {
      Files.delete(folder);
    } catch (NoSuchFileException | DirectoryNotEmptyException e) {
      // As it should be.
    }
  }

  @FunctionalInterface
  private interface Work {
    int run() throws IOException;
  }

  /** Keeps the first error until the rest is done. */
  private static final class Problems {
    private final List<IOException> all = new ArrayList<>();

    int guard(Work work) {
      try {
        return work.run();
      } catch (IOException e) {
        all.add(e);
        return 0;
      }
    }

    void rethrow() throws IOException {
      if (!all.isEmpty()) {
        throw all.get(0);
      }
    }
  }
}
