// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.auto.value.AutoValue;
import io.temptier.cli.status.TierSum;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How full the tiers of a node were for some minutes: each in its fullest moment, with what was
 * written in all of them.
 */
@AutoValue
abstract class FillSample {

  private static final int FORMAT = 1;

  abstract String node();

  /** Milliseconds since 1970. */
  abstract long fromMillis();

  abstract Map<String, TierSum> tiers();

  /** That were moved to a slower tier meanwhile. */
  abstract long bytesDemoted();

  static FillSample of(
      String node, long fromMillis, Map<String, TierSum> tiers, long bytesDemoted) {
    return new AutoValue_FillSample(node, fromMillis, tiers, bytesDemoted);
  }

  /** This, then that of the same node. */
  FillSample then(FillSample later) {
    Map<String, TierSum> all = new LinkedHashMap<>(tiers());
    later.tiers().forEach((medium, tier) -> all.merge(medium, tier, TierSum::then));
    return FillSample.of(node(), fromMillis(), all, bytesDemoted() + later.bytesDemoted());
  }

  /** Reads a line that a node wrote; empty when it is none, or of a later version. */
  static Optional<FillSample> of(String node, JsonNode line) {
    if (line.path("v").asInt() != FORMAT || !line.path("fromMillis").isNumber()) {
      return Optional.empty();
    }
    Map<String, TierSum> tiers = new LinkedHashMap<>();
    line.path("tiers").forEach(tier -> tiers.put(tier.path("medium").asText(), TierSum.of(tier)));
    return Optional.of(
        FillSample.of(
            node, line.path("fromMillis").asLong(), tiers, line.path("bytesDemoted").asLong()));
  }
}
