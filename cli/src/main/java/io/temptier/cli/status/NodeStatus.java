// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.auto.value.AutoValue;
import io.temptier.cli.nodes.NodeFailure;
import io.temptier.hadoop.metrics.Metric;
import io.temptier.tier.lang.Immutable;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** What a NodeManager says of itself, as it is told to programs. */
@AutoValue
abstract class NodeStatus {
  /** Where it was asked. */
  abstract String url();

  /** Of TempTier; UNKNOWN where it is older than this attribute. */
  abstract String version();

  /** Of its configuration; UNKNOWN as well. */
  abstract String fingerprint();

  /** {@code ACTIVE} or {@code STOCK}. */
  abstract String mode();

  abstract String modeReason();

  abstract JsonNode settings();

  abstract JsonNode layout();

  abstract JsonNode tiers();

  abstract JsonNode node();

  /** Each dir as it is now. */
  abstract JsonNode dirs();

  /** Each drive below the dirs; none where the NodeManager's version does not tell. */
  abstract JsonNode drives();

  abstract JsonNode findings();

  /** The last ones, latest first. */
  abstract JsonNode decisions();

  /** What its shuffle handler says; null when that is stock Hadoop's. */
  abstract @Nullable Shuffle shuffle();

  static NodeStatus of(
      String url,
      String version,
      String fingerprint,
      String mode,
      String modeReason,
      JsonNode settings,
      JsonNode layout,
      JsonNode tiers,
      JsonNode node,
      JsonNode dirs,
      JsonNode drives,
      JsonNode findings,
      JsonNode decisions,
      @Nullable Shuffle shuffle) {
    return new AutoValue_NodeStatus(
        url,
        version,
        fingerprint,
        mode,
        modeReason,
        settings,
        layout,
        tiers,
        node,
        dirs,
        drives,
        findings,
        decisions,
        shuffle);
  }

  /** What TempTier's shuffle handler says of itself. */
  @AutoValue
  abstract static class Shuffle {
    /** The numbers of each medium, fastest first. */
    abstract JsonNode media();

    /** The lane of each device. */
    abstract JsonNode lanes();

    /** The numbers of demotion, and why it is off. */
    abstract JsonNode demotion();

    static Shuffle of(JsonNode media, JsonNode lanes, JsonNode demotion) {
      return new AutoValue_NodeStatus_Shuffle(media, lanes, demotion);
    }
  }

  /** The bean that has most of it. */
  static final String BEAN = "TempTierInfo";

  /** What a NodeManager of another version does not say. */
  static final String UNKNOWN = "UNKNOWN";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * Reads the attributes of {@code TempTierInfo}, most of which are JSON in a text, as JMX knows no
   * better, and those of {@code TempTierShuffleInfo}, if there is one.
   */
  static NodeStatus of(String url, JsonNode bean, Optional<JsonNode> shuffle) throws NodeFailure {
    return NodeStatus.of(
        url,
        bean.path("Version").asText(UNKNOWN),
        bean.path("Fingerprint").asText(UNKNOWN),
        bean.path("Mode").asText(UNKNOWN),
        bean.path("ModeReason").asText(""),
        json(url, bean, "Settings"),
        json(url, bean, "Layout"),
        json(url, bean, "Tiers"),
        json(url, bean, "Node"),
        json(url, bean, "Dirs"),
        bean.has("Drives") ? json(url, bean, "Drives") : MAPPER.createArrayNode(),
        json(url, bean, "Findings"),
        json(url, bean, "Decisions"),
        shuffle.isPresent() ? shuffle(url, shuffle.get()) : null);
  }

  private static Shuffle shuffle(String url, JsonNode bean) throws NodeFailure {
    return Shuffle.of(
        json(url, bean, "Media"), json(url, bean, "Lanes"), json(url, bean, "Demotion"));
  }

  /** The JSON in an attribute. */
  private static JsonNode json(String url, JsonNode bean, String attribute) throws NodeFailure {
    try {
      return MAPPER.readTree(bean.path(attribute).asText(""));
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

  /** Whether TempTier places files. */
  boolean active() {
    return mode().equals("ACTIVE");
  }

  /** For example {@code NVME over DISK}. */
  String order() {
    return stream(tiers())
        .map(tier -> tier.path("medium").asText())
        .collect(Collectors.joining(" over "));
  }

  /** A number; 0 where a NodeManager of another version has none. */
  static long value(JsonNode of, Metric metric) {
    return of.path(metric.attribute()).asLong(0);
  }

  /** Why a dir cannot be used, or is not in order, with the remedy; empty when all is well. */
  static String whyUnusable(JsonNode dir) {
    String lost = text(dir.path("lost"));
    return lost.isEmpty() ? text(dir.path("trouble")) : lost;
  }

  private static String text(JsonNode node) {
    return node.isTextual() ? node.asText() : "";
  }

  static Stream<JsonNode> stream(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  List<JsonNode> findings(String severity) {
    return stream(findings())
        .filter(f -> f.path("severity").asText().equals(severity))
        .collect(Immutable.toList());
  }
}
