// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import com.google.auto.value.AutoValue;
import java.util.List;
import java.util.Optional;

/** What a replay found. */
@AutoValue
abstract class PlanResult {
  /** The share of bytes that the recommended size may spill. */
  private static final double SPILL_ALLOWED = 0.01;

  /** The smallest first. */
  abstract List<FastSize> sizes();

  /** That ended. */
  abstract long jobs();

  abstract long tasks();

  /** On which a task wrote. */
  abstract int nodes();

  /** The first submission, since 1970. */
  abstract long fromMillis();

  /** From the first submission to the last end. */
  abstract double days();

  /** Temporary bytes that lay on one node at a time, at most. */
  abstract long mostBytes();

  static PlanResult of(
      List<FastSize> sizes,
      long jobs,
      long tasks,
      int nodes,
      long fromMillis,
      double days,
      long mostBytes) {
    return new AutoValue_PlanResult(sizes, jobs, tasks, nodes, fromMillis, days, mostBytes);
  }

  /** Bytes a day that a node's fast disk takes, on average. */
  double bytesPerDay(FastSize size) {
    return size.placedBytes() / days() / Math.max(1, nodes());
  }

  /** How often a day the disk is written over: what endurance is rated in. */
  double driveWritesPerDay(FastSize size) {
    return bytesPerDay(size) / size.fastBytes();
  }

  /** The smallest size that has room enough and is written over no more often than that a day. */
  Optional<FastSize> recommended(double ratedWritesPerDay) {
    return sizes().stream()
        .filter(size -> hasRoom(size) && driveWritesPerDay(size) <= ratedWritesPerDay)
        .findFirst();
  }

  /** The smallest size that has room enough, when it wears out too soon. */
  Optional<FastSize> wearsOut(double ratedWritesPerDay) {
    return sizes().stream()
        .filter(PlanResult::hasRoom)
        .findFirst()
        .filter(size -> driveWritesPerDay(size) > ratedWritesPerDay);
  }

  private static boolean hasRoom(FastSize size) {
    return 1 - size.hitShare() <= SPILL_ALLOWED;
  }
}
