// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.nodes.NodeFailure;
import io.temptier.hadoop.metrics.Metric;
import io.temptier.tier.lang.Immutable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What a NodeManager says of itself: one tree, which programs get as it is. */
final class NodeStatus {
  /** The bean that has most of it. */
  static final String BEAN = "TempTierInfo";

  /** What a NodeManager of another version does not say. */
  static final String UNKNOWN = "UNKNOWN";

  private static final List<String> TEXTS = Immutable.listOf("Version", "Fingerprint", "Mode");
  private static final String DRIVES = "Drives";
  private static final List<String> TREES =
      Immutable.listOf(
          "Settings", "Layout", "Tiers", "Node", "Dirs", DRIVES, "Findings", "Decisions");
  private static final List<String> OF_SHUFFLE = Immutable.listOf("Media", "Lanes", "Demotion");
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ObjectNode told;

  private NodeStatus(ObjectNode told) {
    this.told = told;
  }

  /**
   * Reads the attributes of {@code TempTierInfo}, most of which are JSON in a text, as JMX knows no
   * better, and those of {@code TempTierShuffleInfo}, if there is one.
   */
  static NodeStatus of(String url, JsonNode bean, Optional<JsonNode> shuffle) throws NodeFailure {
    ObjectNode told = MAPPER.createObjectNode().put("url", url);
    TEXTS.forEach(text -> told.put(member(text), bean.path(text).asText(UNKNOWN)));
    told.put("modeReason", bean.path("ModeReason").asText(""));
    copy(url, bean, TREES, told);
    told.putNull("shuffle");
    if (shuffle.isPresent()) {
      copy(url, shuffle.get(), OF_SHUFFLE, told.putObject("shuffle"));
    }
    return new NodeStatus(told);
  }

  /** Takes over the JSON in attributes. */
  private static void copy(String url, JsonNode bean, List<String> attributes, ObjectNode to)
      throws NodeFailure {
    for (String attribute : attributes) {
      // An older NodeManager tells of none.
      String none = attribute.equals(DRIVES) ? "[]" : "";
      try {
        to.set(member(attribute), MAPPER.readTree(bean.path(attribute).asText(none)));
      } catch (JsonProcessingException e) {
        throw NodeFailure.of(
            "of another version: " + attribute + " is no JSON",
            String.format(
                "The attribute %s of the NodeManager at %s cannot be read: is its TempTier of"
                    + " another version than this one?",
                attribute, url),
            e);
      }
    }
  }

  private static String member(String attribute) {
    return attribute.substring(0, 1).toLowerCase(Locale.ROOT) + attribute.substring(1);
  }

  @JsonValue
  ObjectNode json() {
    return told;
  }

  /** A member, such as {@code mode} or {@code modeReason}. */
  String text(String member) {
    return told.path(member).asText();
  }

  /** A member, such as {@code tiers}, {@code node}, {@code dirs} or {@code drives}. */
  JsonNode tree(String member) {
    return told.path(member);
  }

  List<JsonNode> list(String member) {
    return stream(told.path(member)).collect(Immutable.toList());
  }

  /** What TempTier's shuffle handler says of itself; empty when stock Hadoop's serves. */
  Optional<JsonNode> shuffle() {
    return Optional.of(told.path("shuffle")).filter(JsonNode::isObject);
  }

  /** Whether TempTier places files. */
  boolean active() {
    return text("mode").equals("ACTIVE");
  }

  /** For example {@code NVME over DISK}. */
  String order() {
    return stream(tree("tiers"))
        .map(tier -> tier.path("medium").asText())
        .collect(Collectors.joining(" over "));
  }

  /** A number; 0 where a NodeManager of another version has none. */
  static long value(JsonNode of, Metric metric) {
    return of.path(metric.attribute()).asLong(0);
  }

  /** Why a dir cannot be used, or is not in order, with the remedy; empty when all is well. */
  static String whyUnusable(JsonNode dir) {
    String lost = dir.path("lost").textValue();
    String trouble = lost == null || lost.isEmpty() ? dir.path("trouble").textValue() : lost;
    return trouble == null ? "" : trouble;
  }

  static Stream<JsonNode> stream(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  List<JsonNode> findings(String severity) {
    return stream(tree("findings"))
        .filter(f -> f.path("severity").asText().equals(severity))
        .collect(Immutable.toList());
  }
}
