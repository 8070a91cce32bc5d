// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a simulation found.
 *
 * @param sizes the smallest first
 * @param jobs that ended
 * @param fromMillis the first submission, as the trace counts time
 * @param days from the first submission to the last end
 * @param nodeBytes temporary bytes of a node over nodes and time
 */
record SimulationResult(
    List<SizeResult> sizes,
    long jobs,
    long tasks,
    long fromMillis,
    double days,
    NodeBytes nodeBytes) {
  /** The share of bytes that the recommended size may spill. */
  static final double SPILL_ALLOWED = 0.01;

  SimulationResult {
    sizes = List.copyOf(sizes);
  }

  /**
   * What became of the temporary files with one size of the fast disk.
   *
   * @param spilledBytes written to the slow disk, as the fast one had no room
   * @param jobs of the trace that ended
   * @param whollyFastJobs of them, those none of whose files was spilled
   */
  record SizeResult(
      long fastBytes,
      long placedBytes,
      long spilledBytes,
      long demotedBytes,
      long jobs,
      long whollyFastJobs,
      double days,
      int nodes) {
    /** The share of all bytes that were written to the fast disk, 0 to 1. */
    double hitShare() {
      long all = placedBytes + spilledBytes;
      return all == 0 ? 1 : (double) placedBytes / all;
    }

    /** The share of jobs that found the fast disk only, 0 to 1. */
    double whollyFastShare() {
      return jobs == 0 ? 1 : (double) whollyFastJobs / jobs;
    }

    /** Bytes a day that a node's fast disk takes, on average. */
    double bytesPerDay() {
      return placedBytes / days / nodes;
    }

    /** How often a day the disk is written over: what endurance is rated in. */
    double driveWritesPerDay() {
      return bytesPerDay() / fastBytes;
    }
  }

  /**
   * Temporary bytes on a node: percentiles over all nodes at every simulated minute.
   *
   * @param p95 what 95 of 100 readings do not exceed
   */
  record NodeBytes(long p50, long p95, long p99, long max) {}

  boolean recommends(SizeResult size) {
    return recommended().map(size::equals).orElse(false);
  }

  /**
   * Whether the trace says too little to recommend a size: nodes had next to no temporary data. A
   * disk of any size would do for it.
   */
  boolean saysTooLittle() {
    return nodeBytes.p95() == 0;
  }

  Optional<SizeResult> of(@Nullable Long bytes) {
    return sizes.stream().filter(size -> bytes != null && size.fastBytes() == bytes).findFirst();
  }

  /**
   * The smallest size that spills at most {@link #SPILL_ALLOWED}; empty when none does, or when the
   * trace says too little.
   */
  Optional<SizeResult> recommended() {
    if (saysTooLittle()) {
      return Optional.empty();
    }
    return sizes.stream().filter(size -> 1 - size.hitShare() <= SPILL_ALLOWED).findFirst();
  }
}
