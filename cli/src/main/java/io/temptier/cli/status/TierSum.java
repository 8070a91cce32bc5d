// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.JsonFile.Json;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.Medium;
import java.util.Comparator;

/**
 * A tier of one node, or of all nodes together: the numbers that NodeManagers tell, added up. Bytes
 * and files placed are since the NodeManagers' starts.
 */
public final class TierSum {
  /** Sorts names of media; names that this version does not know come last. */
  public static final Comparator<String> FASTEST_FIRST =
      Comparator.<String>comparingInt(
              medium -> Medium.parse(medium).map(Enum::ordinal).orElse(Integer.MAX_VALUE))
          .thenComparing(Comparator.naturalOrder());

  private final ObjectNode sum = Json.object();

  TierSum(JsonNode... tiers) {
    for (JsonNode tier : tiers) {
      sum.put("medium", tier.path("medium").asText());
      tier.fields()
          .forEachRemaining(
              number -> {
                if (number.getValue().isNumber()) {
                  long before = sum.path(number.getKey()).asLong();
                  sum.put(number.getKey(), before + number.getValue().asLong());
                }
              });
    }
  }

  String medium() {
    return sum.path("medium").asText();
  }

  long get(TierCounter number) {
    return NodeStatus.value(sum, number);
  }

  TierSum plus(TierSum other) {
    return new TierSum(sum, other.sum);
  }

  /** Returns the full share, 0 to 1; 0 where no dir could be read. */
  double fill() {
    long capacity = get(TierCounter.CAPACITY_BYTES);
    return capacity <= 0 ? 0 : 1 - (double) get(TierCounter.FREE_BYTES) / capacity;
  }

  /** The share of what went to it that a faster tier refused, 0 to 1. */
  double spilledShare() {
    long placed = get(TierCounter.BYTES_PLACED);
    return placed <= 0 ? 0 : (double) get(TierCounter.BYTES_SPILLED_HERE) / placed;
  }

  @JsonValue
  ObjectNode json() {
    return sum.deepCopy().put("fill", fill()).put("spilledShare", spilledShare());
  }
}
