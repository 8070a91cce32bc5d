// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The sorted runs that each running task has written to disk. Safe for use by many threads. */
final class TaskSpills {
  /** As many tasks are remembered, the last ones: more than run at once. */
  private static final int MOST_TASKS = 256;

  /** By attempt. Guarded by itself. */
  private final Map<Long, List<Path>> spills =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, List<Path>> eldest) {
          return size() > MOST_TASKS;
        }
      };

  void add(long attempt, Path spill) {
    synchronized (spills) {
      spills.computeIfAbsent(attempt, task -> new ArrayList<>()).add(spill);
    }
  }

  /**
   * What the runs of a task have by now.
   *
   * @return 0 when there are none
   */
  long bytes(long attempt) {
    List<Path> files;
    synchronized (spills) {
      files = List.copyOf(spills.getOrDefault(attempt, List.of()));
    }
    // The task reads each of them next: to look costs it little, and what hangs would hang anyway.
    return files.stream().mapToLong(file -> file.toFile().length()).sum();
  }
}
