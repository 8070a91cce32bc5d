// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.bench.testbed.DiskSpeed;
import java.time.Duration;
import java.util.List;

/**
 * What is going to be measured, in numbers.
 *
 * @param scenarios what is measured
 * @param fetchers those on the fast disk
 * @param slowFetchers those on the slow disk
 * @param eventLoops of each handler
 * @param rounds how often everything is measured
 * @param warmUp of each measurement
 * @param measured how long each takes then
 * @param maps on each disk
 * @param partitions of each map
 * @param passMaps how many of the slow disk's maps a pass is over
 * @param slowDisk what an emulated slow disk can do
 */
record ShufflePlan(
    List<Scenario> scenarios,
    int fetchers,
    int slowFetchers,
    int eventLoops,
    int rounds,
    Duration warmUp,
    Duration measured,
    int maps,
    int partitions,
    int passMaps,
    DiskSpeed slowDisk) {
  /** Bytes of a segment, about. */
  static final int SEGMENT_BYTES = 64 << 10;

  private static final int MIN_MAPS = 64;

  /** A slow disk must not run out of segments that nobody asked for yet: memory has the others. */
  private static final double MARGIN = 1.3;

  /** The journal, inodes and tables of a file system. */
  private static final long FILE_SYSTEM_BYTES = 64L << 20;

  /** Indexes, what a segment is longer than asked, and tables that grow with the size. */
  private static final double DISK_MARGIN = 1.1;

  ShufflePlan {
    scenarios = List.copyOf(scenarios);
  }

  /**
   * How many fetchers are on the slow disk.
   *
   * @param fetchers those on the fast disk
   * @param share the slow ones' part of all of them, above 0 and below 1
   */
  static int slowFetchers(int fetchers, double share) {
    return Math.max(1, (int) Math.round(fetchers * share / (1 - share)));
  }

  /** How many maps it takes so that a slow disk is never asked for the same twice. */
  static int enoughMaps(Duration warmUp, Duration measured, int partitions, DiskSpeed slowDisk) {
    double bytes = MARGIN * warmUp.plus(measured).toMillis() / 1e3 * slowDisk.mbPerSecond() * 1e6;
    return Math.max(MIN_MAPS, (int) Math.ceil(bytes / partitions / SEGMENT_BYTES));
  }

  /**
   * How many maps a pass is over.
   *
   * @param bytes of the pass, about
   * @param partitions of each map
   */
  static int passMaps(long bytes, int partitions) {
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes / partitions / SEGMENT_BYTES));
  }

  /** Bytes of a pass, about. */
  long passBytes() {
    return (long) passMaps * partitions * SEGMENT_BYTES;
  }

  /** Bytes of map outputs on each disk, about. */
  long outputBytes() {
    return (long) maps * partitions * SEGMENT_BYTES;
  }

  /** Bytes an emulated disk needs. */
  long diskBytes() {
    return (long) (outputBytes() * DISK_MARGIN) + FILE_SYSTEM_BYTES;
  }
}
