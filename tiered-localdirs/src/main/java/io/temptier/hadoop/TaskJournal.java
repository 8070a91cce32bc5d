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
package io.temptier.hadoop;

import io.temptier.tier.PlacementJournal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Writes down the placements of a YARN task, once per JVM, in its application's own dir, where the
 * NodeManager and {@code explain} find them. Elsewhere, as in the local job runner or a client,
 * nothing is written. Safe for use by many threads.
 */
final class TaskJournal {
  private static final String USER_CACHE = "usercache";
  private static final String APP_CACHE = "appcache";

  private static boolean opened;

  private TaskJournal() {}

  /**
   * Begins the journal of this JVM if these are dirs of a YARN application and none was begun yet.
   *
   * @param localDirs the dirs a task may write to, or folders in them, fastest first
   */
  static synchronized void begin(Collection<Path> localDirs) {
    List<Path> dirs = applicationDirs(localDirs);
    if (!opened && !dirs.isEmpty()) {
      opened = true;
      PlacementJournal journal = PlacementJournal.ofApplication(dirs);
      try {
        // A task may live for a second only, and end by System.exit.
        Runtime.getRuntime()
            .addShutdownHook(
                new Thread(
                    () -> journal.flush(PlacementJournal.LAST_LINES), "temptier-journal-end"));
      } catch (IllegalStateException e) {
        // The JVM ends already.
      }
      TieredLocalDirAllocator.addListener(journal);
    }
  }

  /** The application's own dirs among or above these, in their order, each once. */
  static List<Path> applicationDirs(Collection<Path> localDirs) {
    Set<Path> dirs = new LinkedHashSet<>();
    for (Path dir : localDirs) {
      applicationDir(dir).ifPresent(dirs::add);
    }
    return new ArrayList<>(dirs);
  }

  /** The {@code R/usercache/USER/appcache/APPLICATION} that {@code dir} is or lies in. */
  private static Optional<Path> applicationDir(Path dir) {
    for (int i = dir.getNameCount() - 4; i >= 0; i--) {
      if (dir.getName(i).toString().equals(USER_CACHE)
          && dir.getName(i + 2).toString().equals(APP_CACHE)) {
        Path root = dir.getRoot();
        Path below = dir.subpath(0, i + 4);
        return Optional.of(root == null ? below : root.resolve(below));
      }
    }
    return Optional.empty();
  }
}
