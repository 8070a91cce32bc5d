// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.bench.testbed.DiskSpeed;
import java.util.List;
import java.util.Map;

/**
 * What is going to be measured.
 *
 * @param patterns what is measured
 * @param hadoops the versions whose readers are held against each other, the build's own first
 * @param rounds how often
 * @param quick whether it is only to be seen that it works
 * @param slowDisk what an emulated slow disk can do
 * @param own properties of an arm that the user wants beside the others; empty for no such arm
 */
record S3aPlan(
    List<Pattern> patterns,
    List<String> hadoops,
    int rounds,
    boolean quick,
    DiskSpeed slowDisk,
    Map<String, String> own) {
  private static final int OBJECT_MIB = 256;
  private static final int QUICK_OBJECT_MIB = 24;
  private static final int ROWS = 400_000;
  private static final int QUICK_ROWS = 40_000;

  S3aPlan {
    patterns = List.copyOf(patterns);
    hadoops = List.copyOf(hadoops);
    own = Map.copyOf(own);
  }

  /** The size of the object that is read, in MiB. */
  long objectMib() {
    return quick ? QUICK_OBJECT_MIB : OBJECT_MIB;
  }

  /** How many files are there to be opened, each once by a pattern. */
  long files() {
    return reads().stream()
        .filter(pattern -> pattern == Pattern.FOOTERS || pattern == Pattern.QUERIES)
        .mapToLong(this::count)
        .max()
        .orElse(0);
  }

  /** Rows of the Parquet file. */
  long rows() {
    return quick ? QUICK_ROWS : ROWS;
  }

  /** How much of a pattern is measured at a time. */
  long count(Pattern pattern) {
    return pattern.count(quick);
  }

  /** The patterns that read, of those wanted. */
  List<Pattern> reads() {
    return patterns.stream().filter(Pattern.reads()::contains).toList();
  }

  /** Whether a pattern is wanted. */
  boolean has(Pattern pattern) {
    return patterns.contains(pattern);
  }
}
