// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.hadoop.metrics.TierCounter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How full the tiers of a node were for some minutes.
 *
 * @param fromMillis milliseconds since 1970
 * @param tiers each tier by its medium
 * @param bytesDemoted that were moved to a slower tier meanwhile
 */
record FillSample(String node, long fromMillis, Map<String, Tier> tiers, long bytesDemoted) {
  private static final int FORMAT = 1;

  /**
   * A tier.
   *
   * @param capacityBytes its size
   * @param freeBytes what was free in its fullest moment
   * @param bytesPlaced files that were completed there meanwhile
   * @param bytesSpilledHere those of them that a faster tier had refused
   * @param dirsSlow the most dirs that were slow at a time
   * @param dirsFailed the most that could not be used
   */
  record Tier(
      long capacityBytes,
      long freeBytes,
      long bytesPlaced,
      long bytesSpilledHere,
      long dirsSlow,
      long dirsFailed) {
    /** Both nodes, or both times, together. */
    Tier plus(Tier other) {
      return new Tier(
          capacityBytes + other.capacityBytes,
          freeBytes + other.freeBytes,
          bytesPlaced + other.bytesPlaced,
          bytesSpilledHere + other.bytesSpilledHere,
          dirsSlow + other.dirsSlow,
          dirsFailed + other.dirsFailed);
    }

    /** This, then that: the fuller of both, and all that was written. */
    Tier then(Tier later) {
      Tier fuller = later.used() >= used() ? later : this;
      return new Tier(
          fuller.capacityBytes,
          fuller.freeBytes,
          bytesPlaced + later.bytesPlaced,
          bytesSpilledHere + later.bytesSpilledHere,
          Math.max(dirsSlow, later.dirsSlow),
          Math.max(dirsFailed, later.dirsFailed));
    }

    /** The share that is used, 0 to 1; 0 where no dir could be read. */
    double used() {
      return capacityBytes <= 0 ? 0 : 1 - (double) freeBytes / capacityBytes;
    }

    private static Tier of(JsonNode json) {
      return new Tier(
          number(json, TierCounter.CAPACITY_BYTES),
          number(json, TierCounter.FREE_BYTES),
          number(json, TierCounter.BYTES_PLACED),
          number(json, TierCounter.BYTES_SPILLED_HERE),
          number(json, TierCounter.DIRS_SLOW),
          number(json, TierCounter.DIRS_FAILED));
    }

    private static long number(JsonNode json, TierCounter counter) {
      return json.path(counter.attribute()).asLong();
    }
  }

  /** This, then that of the same node. */
  FillSample then(FillSample later) {
    Map<String, Tier> all = new LinkedHashMap<>(tiers);
    later.tiers.forEach((medium, tier) -> all.merge(medium, tier, Tier::then));
    return new FillSample(node, fromMillis, all, bytesDemoted + later.bytesDemoted);
  }

  /**
   * Reads a line.
   *
   * @param node where it was written
   * @return empty when it is none, or of a later version
   */
  static Optional<FillSample> of(String node, JsonNode line) {
    if (line.path("v").asInt() != FORMAT || !line.path("fromMillis").isNumber()) {
      return Optional.empty();
    }
    Map<String, Tier> tiers = new LinkedHashMap<>();
    line.path("tiers").forEach(tier -> tiers.put(tier.path("medium").asText(), Tier.of(tier)));
    return Optional.of(
        new FillSample(
            node, line.path("fromMillis").asLong(), tiers, line.path("bytesDemoted").asLong()));
  }
}
