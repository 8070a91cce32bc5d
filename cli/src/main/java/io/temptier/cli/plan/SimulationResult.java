// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a simulation found. */
@AutoValue
abstract class SimulationResult {

  /** The share of bytes that the recommended size may spill. */
  static final double SPILL_ALLOWED = 0.01;

  /** The smallest first. */
  abstract List<SizeResult> sizes();

  /** That ended. */
  abstract long jobs();

  abstract long tasks();

  /** The first submission, as the trace counts time. */
  abstract long fromMillis();

  /** From the first submission to the last end. */
  abstract double days();

  /** Temporary bytes of a node over nodes and time. */
  abstract NodeBytes nodeBytes();

  /** How often a day a drive may be written over. */
  abstract double ratedWritesPerDay();

  static SimulationResult of(
      List<SizeResult> sizes,
      long jobs,
      long tasks,
      long fromMillis,
      double days,
      NodeBytes nodeBytes) {
    sizes = Immutable.copyOf(sizes);
    return new AutoValue_SimulationResult(
        sizes, jobs, tasks, fromMillis, days, nodeBytes, Double.POSITIVE_INFINITY);
  }

  /** The same for drives that may be written over so often a day. */
  SimulationResult ratedFor(double writesPerDay) {
    return new AutoValue_SimulationResult(
        sizes(), jobs(), tasks(), fromMillis(), days(), nodeBytes(), writesPerDay);
  }

  /** What became of the temporary files with one size of the fast disk. */
  @AutoValue
  abstract static class SizeResult {
    abstract long fastBytes();

    abstract long placedBytes();

    /** Written to the slow disk, as the fast one had no room. */
    abstract long spilledBytes();

    abstract long demotedBytes();

    /** Of the trace that ended. */
    abstract long jobs();

    /** Of them, those none of whose files was spilled. */
    abstract long whollyFastJobs();

    abstract double days();

    abstract int nodes();

    static SizeResult of(
        long fastBytes,
        long placedBytes,
        long spilledBytes,
        long demotedBytes,
        long jobs,
        long whollyFastJobs,
        double days,
        int nodes) {
      return new AutoValue_SimulationResult_SizeResult(
          fastBytes, placedBytes, spilledBytes, demotedBytes, jobs, whollyFastJobs, days, nodes);
    }

    /** The share of all bytes that were written to the fast disk, 0 to 1. */
    double hitShare() {
      long all = placedBytes() + spilledBytes();
      return all == 0 ? 1 : (double) placedBytes() / all;
    }

    /** The share of jobs that found the fast disk only, 0 to 1. */
    double whollyFastShare() {
      return jobs() == 0 ? 1 : (double) whollyFastJobs() / jobs();
    }

    /** Bytes a day that a node's fast disk takes, on average. */
    double bytesPerDay() {
      return placedBytes() / days() / nodes();
    }

    /** How often a day the disk is written over: what endurance is rated in. */
    double driveWritesPerDay() {
      return bytesPerDay() / fastBytes();
    }
  }

  /** Temporary bytes on a node: percentiles over all nodes at every simulated minute. */
  @AutoValue
  abstract static class NodeBytes {
    abstract long p50();

    /** What 95 of 100 readings do not exceed. */
    abstract long p95();

    abstract long p99();

    abstract long max();

    static NodeBytes of(long p50, long p95, long p99, long max) {
      return new AutoValue_SimulationResult_NodeBytes(p50, p95, p99, max);
    }
  }

  boolean recommends(SizeResult size) {
    return recommended().map(size::equals).orElse(false);
  }

  /**
   * Whether the trace says too little to recommend a size: nodes had next to no temporary data. A
   * disk of any size would do for it.
   */
  boolean saysTooLittle() {
    return nodeBytes().p95() == 0;
  }

  Optional<SizeResult> of(@Nullable Long bytes) {
    return sizes().stream().filter(size -> bytes != null && size.fastBytes() == bytes).findFirst();
  }

  /** The smallest size that has room enough and lasts; empty when the trace says too little. */
  Optional<SizeResult> recommended() {
    return sizes().stream().filter(size -> hasRoom(size) && lasts(size)).findFirst();
  }

  /** The smallest size that has room enough, when it wears out too soon. */
  Optional<SizeResult> wearsOut() {
    return sizes().stream().filter(this::hasRoom).findFirst().filter(size -> !lasts(size));
  }

  /** Whether it spills at most {@link #SPILL_ALLOWED}. */
  private boolean hasRoom(SizeResult size) {
    return !saysTooLittle() && 1 - size.hitShare() <= SPILL_ALLOWED;
  }

  /** Whether it is written over no more often than drives are rated for. */
  boolean lasts(SizeResult size) {
    return size.driveWritesPerDay() <= ratedWritesPerDay();
  }
}
