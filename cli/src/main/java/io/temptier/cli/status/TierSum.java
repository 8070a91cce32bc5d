// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.hadoop.metrics.TierCounter;

/**
 * A tier of one node, or of all nodes together. Bytes and files placed are since the NodeManagers'
 * starts.
 *
 * @param medium its medium
 * @param capacityBytes its size
 * @param freeBytes what is free of that
 * @param bytesPlaced sizes of complete files that went to it
 * @param bytesSpilledHere those of them that a faster tier refused
 * @param dirs its dirs
 * @param dirsFailed those that cannot be used now
 * @param dirsSlow those that are slower than the next tier
 * @param errors times a dir failed
 */
public record TierSum(
    String medium,
    long capacityBytes,
    long freeBytes,
    long bytesPlaced,
    long bytesSpilledHere,
    long dirs,
    long dirsFailed,
    long dirsSlow,
    long errors) {
  /** Of the attributes of a tier. */
  static TierSum of(JsonNode tier) {
    return new TierSum(
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

  /** Both together. */
  TierSum plus(TierSum other) {
    return new TierSum(
        medium,
        capacityBytes + other.capacityBytes,
        freeBytes + other.freeBytes,
        bytesPlaced + other.bytesPlaced,
        bytesSpilledHere + other.bytesSpilledHere,
        dirs + other.dirs,
        dirsFailed + other.dirsFailed,
        dirsSlow + other.dirsSlow,
        errors + other.errors);
  }

  /** How full it is, 0 to 1. */
  @JsonProperty
  public double fill() {
    return capacityBytes <= 0 ? 0 : 1 - (double) freeBytes / capacityBytes;
  }

  /** The share of what went to it that a faster tier refused, 0 to 1. */
  @JsonProperty
  public double spilledShare() {
    return bytesPlaced <= 0 ? 0 : (double) bytesSpilledHere / bytesPlaced;
  }
}
