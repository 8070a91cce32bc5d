// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.JsonFile;
import io.temptier.cli.status.TierSum;
import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What became of one application's temporary data, on one node or several, as programs read it.
 * Bytes are the real sizes of complete files; a task that was killed may have left others. Lines of
 * one application add up.
 */
public final class ApplicationHistory {
  /** Its first file or container on these nodes, milliseconds since 1970. */
  static final String FROM = "fromMillis";

  /** When it was last there. */
  static final String TO = "toMillis";

  private static final List<String> NUMBERS =
      Immutable.listOf(FROM, TO, "filesDemoted", "bytesDemoted", "containers", "containersFailed");
  private static final List<String> SUMS =
      Immutable.listOf("files", "bytes", "filesSpilled", "bytesSpilled");

  private final ObjectNode told;

  private ApplicationHistory(ObjectNode told) {
    this.told = told;
  }

  /** Reads a line that a node wrote; empty when it is none, or of a later version. */
  static Optional<ApplicationHistory> of(String node, JsonNode line) {
    if (line.path("v").asInt() != HistoryData.FORMAT || !line.path("app").isTextual()) {
      return Optional.empty();
    }
    ObjectNode told = JsonFile.object();
    told.put("application", line.path("app").asText())
        .put("user", line.path("user").asText())
        .put("running", line.path("running").asBoolean())
        .putArray("nodes")
        .add(node);
    NUMBERS.forEach(number -> told.put(number, line.path(number).asLong()));
    ObjectNode tiers = told.putObject("tiers");
    ObjectNode refused = told.putObject("refused");
    for (JsonNode tier : line.path("tiers")) {
      addTo(tiers, tier.path("medium").asText(), sums(tier));
    }
    for (JsonNode why : line.path("refused")) {
      ObjectNode byReason = JsonFile.object();
      byReason.set(why.path("reason").asText(), sums(why));
      addTo(refused, why.path("medium").asText(), byReason);
    }
    return Optional.of(new ApplicationHistory(told));
  }

  private static ObjectNode sums(JsonNode of) {
    ObjectNode sums = JsonFile.object();
    SUMS.forEach(number -> sums.put(number, of.path(number).asLong()));
    return sums;
  }

  ApplicationHistory plus(ApplicationHistory other) {
    ObjectNode sum = told.deepCopy();
    other.told.fields().forEachRemaining(field -> addTo(sum, field.getKey(), field.getValue()));
    return new ApplicationHistory(sum);
  }

  /** Numbers add up but times, the first name that is known counts, lists are united. */
  private static void addTo(ObjectNode sum, String key, JsonNode more) {
    JsonNode some = sum.get(key);
    if (some == null) {
      sum.set(key, more.deepCopy());
    } else if (more.isObject()) {
      more.fields()
          .forEachRemaining(field -> addTo((ObjectNode) some, field.getKey(), field.getValue()));
    } else if (more.isArray()) {
      Map<String, JsonNode> all = new TreeMap<>();
      some.forEach(each -> all.put(each.asText(), each));
      more.forEach(each -> all.put(each.asText(), each));
      ((ArrayNode) some).removeAll().addAll(all.values());
    } else if (more.isBoolean()) {
      sum.put(key, some.asBoolean() || more.asBoolean());
    } else if (more.isTextual()) {
      sum.set(key, some.asText().isEmpty() ? more : some);
    } else {
      long one = some.asLong();
      long two = more.asLong();
      boolean first = key.equals(FROM);
      sum.put(key, first ? Math.min(one, two) : key.equals(TO) ? Math.max(one, two) : one + two);
    }
  }

  public String application() {
    return told.path("application").asText();
  }

  /** Whose it was; empty where that is not known. */
  String user() {
    return told.path("user").asText();
  }

  boolean running() {
    return told.path("running").asBoolean();
  }

  /** Such as {@code filesDemoted} or {@code containers}. */
  long number(String name) {
    return told.path(name).asLong();
  }

  /** What went to each tier, fastest first. */
  List<Sum> tiers() {
    List<Sum> tiers = new ArrayList<>();
    byMedium("tiers").forEach((medium, sums) -> tiers.add(new Sum(medium, "", sums)));
    return tiers;
  }

  List<Sum> refusals() {
    List<Sum> all = new ArrayList<>();
    byMedium("refused")
        .forEach(
            (medium, reasons) ->
                reasons
                    .fields()
                    .forEachRemaining(
                        why -> all.add(new Sum(medium, why.getKey(), why.getValue()))));
    return all;
  }

  private SortedMap<String, JsonNode> byMedium(String of) {
    SortedMap<String, JsonNode> sorted = new TreeMap<>(TierSum.FASTEST_FIRST);
    told.path(of).fields().forEachRemaining(each -> sorted.put(each.getKey(), each.getValue()));
    return sorted;
  }

  long bytes() {
    return sum("bytes");
  }

  /** Bytes that a faster tier refused. */
  long bytesSpilled() {
    return sum("bytesSpilled");
  }

  private long sum(String name) {
    return tiers().stream().mapToLong(tier -> tier.number(name)).sum();
  }

  @JsonValue
  ObjectNode json() {
    return told.deepCopy().put("bytes", bytes()).put("bytesSpilled", bytesSpilled());
  }

  /** Files of one tier, and of one reason where it refused them. */
  static final class Sum {
    final String medium;
    final String reason;
    private final JsonNode numbers;

    private Sum(String medium, String reason, JsonNode numbers) {
      this.medium = medium;
      this.reason = reason;
      this.numbers = numbers;
    }

    /** {@code files} or {@code bytes}; {@code filesSpilled} of them a faster tier refused. */
    long number(String name) {
      return numbers.path(name).asLong();
    }
  }
}
