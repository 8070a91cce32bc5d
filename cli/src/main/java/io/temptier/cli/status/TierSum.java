// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.hadoop.metrics.TierCounter;
import java.util.EnumMap;
import java.util.Map;

/**
 * A tier of one node, or of all nodes together. Bytes and files placed are since the NodeManagers'
 * starts.
 */
public final class TierSum {
  /** The numbers of a tier that count here, as programs read them. */
  private static final Map<TierCounter, String> NAMES = new EnumMap<>(TierCounter.class);

  static {
    NAMES.put(TierCounter.CAPACITY_BYTES, "capacityBytes");
    NAMES.put(TierCounter.FREE_BYTES, "freeBytes");
    NAMES.put(TierCounter.BYTES_PLACED, "bytesPlaced");
    NAMES.put(TierCounter.BYTES_SPILLED_HERE, "bytesSpilledHere");
    NAMES.put(TierCounter.DIRS, "dirs");
    NAMES.put(TierCounter.DIRS_FAILED, "dirsFailed");
    NAMES.put(TierCounter.DIRS_SLOW, "dirsSlow");
    NAMES.put(TierCounter.DIR_ERRORS, "errors");
  }

  private final String medium;
  private final Map<TierCounter, Long> numbers;

  private TierSum(String medium, Map<TierCounter, Long> numbers) {
    this.medium = medium;
    this.numbers = numbers;
  }

  public static TierSum of(JsonNode tier) {
    Map<TierCounter, Long> numbers = new EnumMap<>(TierCounter.class);
    NAMES.keySet().forEach(number -> numbers.put(number, NodeStatus.value(tier, number)));
    return new TierSum(tier.path("medium").asText(), numbers);
  }

  public String medium() {
    return medium;
  }

  /** One of its numbers; 0 where it does not count here. */
  public long get(TierCounter number) {
    return numbers.getOrDefault(number, 0L);
  }

  public TierSum plus(TierSum other) {
    Map<TierCounter, Long> sum = new EnumMap<>(numbers);
    other.numbers.forEach((number, value) -> sum.merge(number, value, Long::sum));
    return new TierSum(medium, sum);
  }

  /** This, then that: the fuller of both, and all that was written. */
  public TierSum then(TierSum later) {
    TierSum fuller = later.fill() >= fill() ? later : this;
    Map<TierCounter, Long> both = plus(later).numbers;
    both.put(TierCounter.CAPACITY_BYTES, fuller.get(TierCounter.CAPACITY_BYTES));
    both.put(TierCounter.FREE_BYTES, fuller.get(TierCounter.FREE_BYTES));
    both.put(TierCounter.DIRS, fuller.get(TierCounter.DIRS));
    return new TierSum(medium, both);
  }

  /** How full it is, 0 to 1; 0 where no dir could be read. */
  public double fill() {
    long capacity = get(TierCounter.CAPACITY_BYTES);
    return capacity <= 0 ? 0 : 1 - (double) get(TierCounter.FREE_BYTES) / capacity;
  }

  /** The share of what went to it that a faster tier refused, 0 to 1. */
  public double spilledShare() {
    long placed = get(TierCounter.BYTES_PLACED);
    return placed <= 0 ? 0 : (double) get(TierCounter.BYTES_SPILLED_HERE) / placed;
  }

  @JsonValue
  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("medium", medium);
    NAMES.forEach((number, name) -> json.put(name, get(number)));
    return json.put("fill", fill()).put("spilledShare", spilledShare());
  }
}
