// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.tier.LocalDir;
import io.temptier.tier.os.InodeCounts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The inodes of all dirs of a node, asked for together: each question costs a process. Safe for use
 * by many threads, which wait for each other; for a dir that has just begun to hang they wait five
 * seconds.
 */
final class NodeInodes {
  private static final long FRESH_NANOS = 10_000_000_000L;

  private final List<LocalDir> dirs;
  private final Predicate<LocalDir> hung;
  private final Map<Path, InodeCounts> counts = new HashMap<>();
  private long askedNanos = System.nanoTime() - FRESH_NANOS;

  /** {@code hung} says whether a dir does not answer, which is left out. */
  NodeInodes(List<LocalDir> dirs, Predicate<LocalDir> hung) {
    this.dirs = dirs;
    this.hung = hung;
  }

  /** Those of one dir, ten seconds old at most where it answers. */
  synchronized InodeCounts of(Path dir) {
    if (System.nanoTime() - askedNanos >= FRESH_NANOS) {
      List<Path> asked = new ArrayList<>();
      dirs.stream().filter(any -> !hung.test(any)).forEach(any -> asked.add(any.path()));
      counts.putAll(InodeCounts.of(asked));
      askedNanos = System.nanoTime();
    }
    return counts.getOrDefault(dir, InodeCounts.UNBOUNDED);
  }
}
