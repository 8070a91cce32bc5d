// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.auto.value.AutoValue;
import io.temptier.hadoop.metrics.TierCounter;

/**
 * A tier of one node, or of all nodes together. Bytes and files placed are since the NodeManagers'
 * starts.
 */
@AutoValue
public abstract class TierSum {
  public abstract String medium();

  public abstract long capacityBytes();

  /** What is free of that. */
  public abstract long freeBytes();

  /** Sizes of complete files that went to it. */
  public abstract long bytesPlaced();

  /** Those of them that a faster tier refused. */
  public abstract long bytesSpilledHere();

  public abstract long dirs();

  /** Those that cannot be used now. */
  public abstract long dirsFailed();

  /** Those that are slower than the next tier. */
  public abstract long dirsSlow();

  public abstract long errors();

  public static TierSum of(
      String medium,
      long capacityBytes,
      long freeBytes,
      long bytesPlaced,
      long bytesSpilledHere,
      long dirs,
      long dirsFailed,
      long dirsSlow,
      long errors) {
    return new AutoValue_TierSum(
        medium,
        capacityBytes,
        freeBytes,
        bytesPlaced,
        bytesSpilledHere,
        dirs,
        dirsFailed,
        dirsSlow,
        errors);
  }

  public static TierSum of(JsonNode tier) {
    return TierSum.of(
        tier.path("medium").asText(),
        NodeStatus.value(tier, TierCounter.CAPACITY_BYTES),
        NodeStatus.value(tier, TierCounter.FREE_BYTES),
        NodeStatus.value(tier, TierCounter.BYTES_PLACED),
        NodeStatus.value(tier, TierCounter.BYTES_SPILLED_HERE),
        NodeStatus.value(tier, TierCounter.DIRS),
        NodeStatus.value(tier, TierCounter.DIRS_FAILED),
        NodeStatus.value(tier, TierCounter.DIRS_SLOW),
        NodeStatus.value(tier, TierCounter.DIR_ERRORS));
  }

  public TierSum plus(TierSum other) {
    return TierSum.of(
        medium(),
        capacityBytes() + other.capacityBytes(),
        freeBytes() + other.freeBytes(),
        bytesPlaced() + other.bytesPlaced(),
        bytesSpilledHere() + other.bytesSpilledHere(),
        dirs() + other.dirs(),
        dirsFailed() + other.dirsFailed(),
        dirsSlow() + other.dirsSlow(),
        errors() + other.errors());
  }

  /** This, then that: the fuller of both, and all that was written. */
  public TierSum then(TierSum later) {
    TierSum fuller = later.fill() >= fill() ? later : this;
    return TierSum.of(
        medium(),
        fuller.capacityBytes(),
        fuller.freeBytes(),
        bytesPlaced() + later.bytesPlaced(),
        bytesSpilledHere() + later.bytesSpilledHere(),
        fuller.dirs(),
        Math.max(dirsFailed(), later.dirsFailed()),
        Math.max(dirsSlow(), later.dirsSlow()),
        errors() + later.errors());
  }

  /** How full it is, 0 to 1; 0 where no dir could be read. */
  @JsonProperty
  public double fill() {
    return capacityBytes() <= 0 ? 0 : 1 - (double) freeBytes() / capacityBytes();
  }

  /** The share of what went to it that a faster tier refused, 0 to 1. */
  @JsonProperty
  public double spilledShare() {
    return bytesPlaced() <= 0 ? 0 : (double) bytesSpilledHere() / bytesPlaced();
  }
}
