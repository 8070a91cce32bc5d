// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.allocator;

import io.temptier.hadoop.metrics.TaskCounters;
import io.temptier.tier.LocalDir;
import io.temptier.tier.journal.PlacementJournal;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.marker.MountGuard;
import io.temptier.tier.os.Threads;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes down the placements of a YARN task, once per JVM, in its application's own dir, where the
 * NodeManager and {@code explain} find them, and counts them for the job. Safe for use by many
 * threads.
 */
final class TaskJournal {
  private static final Pattern APPLICATION_DIR =
      Pattern.compile("(?s)(.*/)?usercache/[^/]+/appcache/[^/]+");

  /** A disk that hangs is not waited for. */
  private static final Duration LONGEST_SETTLING = Duration.ofSeconds(1);

  /** Writes what is still followed as complete: its writer ends. */
  private static final Thread AT_EXIT =
      new Thread("temptier-journal-end") {
        @Override
        public void run() {
          Threads.endWithin(
              LONGEST_SETTLING, "temptier-placement", TieredLocalDirs::settleEverything);
          end();
        }
      };

  /** Journal of this JVM; null where none is begun. */
  private static volatile @Nullable PlacementJournal journal;

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
      Path folder = applicationDir(Paths.get(dir.getValue().toUri().getPath())).orElse(null);
      if (folder != null) {
        guards.putIfAbsent(folder, new MountGuard(dir.getKey()));
      }
    }
    if (journal == null && !guards.isEmpty()) {
      PlacementJournal begun =
          PlacementJournal.ofApplication(
              Immutable.listFrom(guards.keySet()),
              dir -> !Objects.requireNonNull(guards.get(dir)).lost());
      journal = begun;
      try {
        // A task may live for a second only, and end by System.exit.
        Runtime.getRuntime().addShutdownHook(AT_EXIT);
        TieredLocalDirs.LISTENERS.add(new TaskCounters());
      } catch (IllegalStateException | IllegalArgumentException e) {
        // The JVM ends already, or had a journal before.
      }
      TieredLocalDirs.LISTENERS.add(begun);
    }
  }

  /** Writes the last lines and ends the journal of this JVM, which may begin another. */
  static void end() {
    PlacementJournal ended = journal;
    if (ended != null) {
      journal = null;
      TieredLocalDirs.LISTENERS.remove(ended);
      ended.close();
    }
  }

  /** The {@code R/usercache/USER/appcache/APPLICATION} that {@code dir} is or lies in. */
  static Optional<Path> applicationDir(Path dir) {
    Matcher found = APPLICATION_DIR.matcher(dir.toString());
    return found.lookingAt() ? Optional.of(Paths.get(found.group())) : Optional.empty();
  }
}
