// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import io.temptier.hadoop.metrics.TaskCounters;
import io.temptier.tier.LocalDir;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.os.thread.Threads;
import io.temptier.tier.room.capacity.MountGuard;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Writes down the placements of a YARN task, once per JVM, in its application's own dir, where the
 * NodeManager and {@code explain} find them, and counts them for the job. Safe for use by many
 * threads.
 */
final class TaskJournal {
  /** A disk that hangs is not waited for. */
  private static final Duration LONGEST_SETTLING = Duration.ofSeconds(1);

  private static boolean opened;

  private TaskJournal() {}

  /**
   * Begins the journal of this JVM if these are dirs of a YARN application and none was begun yet.
   *
   * @param dirs the dirs a task may write to, or folders in them, by the root they belong to;
   *     fastest first
   */
  static synchronized void begin(Map<LocalDir, org.apache.hadoop.fs.Path> dirs) {
    Map<Path, MountGuard> guards = new LinkedHashMap<>();
    for (Map.Entry<LocalDir, org.apache.hadoop.fs.Path> dir : dirs.entrySet()) {
      Path own = applicationDir(Paths.get(dir.getValue().toUri().getPath())).orElse(null);
      if (own != null) {
        guards.putIfAbsent(own, new MountGuard(dir.getKey()));
      }
    }
    if (!opened && !guards.isEmpty()) {
      opened = true;
      PlacementJournal journal =
          PlacementJournal.ofApplication(
              Immutable.listFrom(guards.keySet()),
              dir -> !Objects.requireNonNull(guards.get(dir)).lost());
      try {
        // A task may live for a second only, and end by System.exit.
        Runtime.getRuntime()
            .addShutdownHook(
                new Thread(
                    () -> {
                      // What is still followed is complete: its writer ends.
                      Threads.endWithin(
                          LONGEST_SETTLING,
                          "temptier-placement",
                          TieredLocalDirs::settleEverything);
                      journal.flush(PlacementJournal.LAST_LINES);
                    },
                    "temptier-journal-end"));
      } catch (IllegalStateException e) {
        // The JVM ends already.
      }
      TieredLocalDirs.addListener(journal);
      TieredLocalDirs.addListener(new TaskCounters());
    }
  }

  /** The {@code R/usercache/USER/appcache/APPLICATION} that {@code dir} is or lies in. */
  static Optional<Path> applicationDir(Path dir) {
    for (int i = dir.getNameCount() - 4; i >= 0; i--) {
      if (dir.getName(i).toString().equals("usercache")
          && dir.getName(i + 2).toString().equals("appcache")) {
        Path root = dir.getRoot();
        Path below = dir.subpath(0, i + 4);
        return Optional.of(root == null ? below : root.resolve(below));
      }
    }
    return Optional.empty();
  }
}
