// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.JsonFile.Json;
import io.temptier.cli.status.TierSum;
import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One application's temporary data on one node or several, as programs read it. Bytes are the real
 * sizes of complete files; a task that was killed may have left others. Lines of one application
 * add up.
 */
public final class ApplicationHistory {
  /** Time of its first file or container on these nodes, milliseconds since 1970. */
  static final String FROM = "fromMillis";

  /** Time when it was last there. */
  static final String TO = "toMillis";

  private static final List<String> NUMBERS =
      Immutable.listOf(FROM, TO, "filesDemoted", "bytesDemoted", "containers", "containersFailed");
  private static final List<String> SUMS =
      Immutable.listOf("files", "bytes", "filesSpilled", "bytesSpilled");

  private final ObjectNode json;

  private ApplicationHistory(ObjectNode json) {
    this.json = json;
  }

  /** Reads a line that a node wrote; empty when it is none, or of a later version. */
  static Optional<ApplicationHistory> of(String node, JsonNode line) {
    if (line.path("v").asInt() != HistoryData.FORMAT || !line.path("app").isTextual()) {
      return Optional.empty();
    }
    ObjectNode json = Json.object();
    json.put("application", line.path("app").asText())
        .put("user", line.path("user").asText())
        .put("running", line.path("running").asBoolean())
        .putArray("nodes")
        .add(node);
    NUMBERS.forEach(number -> json.put(number, line.path(number).asLong()));
    ObjectNode tiers = json.putObject("tiers");
    ObjectNode refused = json.putObject("refused");
    for (JsonNode tier : line.path("tiers")) {
      addTo(tiers, tier.path("medium").asText(), sums(tier));
    }
    for (JsonNode why : line.path("refused")) {
      ObjectNode byReason = Json.object();
      byReason.set(why.path("reason").asText(), sums(why));
      addTo(refused, why.path("medium").asText(), byReason);
    }
    return Optional.of(new ApplicationHistory(json));
  }

  private static ObjectNode sums(JsonNode node) {
    ObjectNode sums = Json.object();
    SUMS.forEach(number -> sums.put(number, node.path(number).asLong()));
    return sums;
  }

  ApplicationHistory plus(ApplicationHistory other) {
    ObjectNode sum = json.deepCopy();
    other.json.fields().forEachRemaining(field -> addTo(sum, field.getKey(), field.getValue()));
    return new ApplicationHistory(sum);
  }

  /** Numbers add up but times, the first name that is known counts, lists are united. */
  private static void addTo(ObjectNode sum, String key, JsonNode more) {
    JsonNode earlier = sum.get(key);
    if (earlier == null) {
      sum.set(key, more.deepCopy());
    } else if (more.isObject()) {
      more.fields()
          .forEachRemaining(field -> addTo((ObjectNode) earlier, field.getKey(), field.getValue()));
    } else if (more.isArray()) {
      Map<String, JsonNode> all = new TreeMap<>();
      earlier.forEach(each -> all.put(each.asText(), each));
      more.forEach(each -> all.put(each.asText(), each));
      ((ArrayNode) earlier).removeAll().addAll(all.values());
    } else if (more.isBoolean()) {
      sum.put(key, earlier.asBoolean() || more.asBoolean());
    } else if (more.isTextual()) {
      sum.set(key, earlier.asText().isEmpty() ? more : earlier);
    } else {
      long one = earlier.asLong();
      long two = more.asLong();
      boolean first = key.equals(FROM);
      sum.put(key, first ? Math.min(one, two) : key.equals(TO) ? Math.max(one, two) : one + two);
    }
  }

  public String application() {
    return json.path("application").asText();
  }

  /** Returns its owner; empty where that is not known. */
  String user() {
    return json.path("user").asText();
  }

  boolean running() {
    return json.path("running").asBoolean();
  }

  long number(String name) {
    return json.path(name).asLong();
  }

  /** The tiers that it wrote to, fastest first. */
  NavigableSet<String> media() {
    return media("tiers");
  }

  private NavigableSet<String> media(String member) {
    NavigableSet<String> media = new TreeSet<>(TierSum.FASTEST_FIRST);
    json.path(member).fieldNames().forEachRemaining(media::add);
    return media;
  }

  /** {@code files} and {@code bytes} of a tier, and {@code filesSpilled} of them. */
  JsonNode tier(String medium) {
    return json.path("tiers").path(medium);
  }

  List<Refusal> refusals() {
    List<Refusal> all = new ArrayList<>();
    for (String medium : media("refused")) {
      json.path("refused")
          .path(medium)
          .fields()
          .forEachRemaining(why -> all.add(new Refusal(medium, why.getKey(), why.getValue())));
    }
    return all;
  }

  long bytes() {
    return sum("bytes");
  }

  /** Bytes that a faster tier refused. */
  long bytesSpilled() {
    return sum("bytesSpilled");
  }

  private long sum(String name) {
    return media().stream().mapToLong(medium -> tier(medium).path(name).asLong()).sum();
  }

  @JsonValue
  ObjectNode json() {
    return json.deepCopy().put("bytes", bytes()).put("bytesSpilled", bytesSpilled());
  }

  /** Files that a tier refused for a reason. */
  static final class Refusal {
    final String medium;
    final String reason;
    final long files;
    final long bytes;

    private Refusal(String medium, String reason, JsonNode sums) {
      this.medium = medium;
      this.reason = reason;
      this.files = sums.path("files").asLong();
      this.bytes = sums.path("bytes").asLong();
    }
  }
}
