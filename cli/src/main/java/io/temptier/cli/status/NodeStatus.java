// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.nodes.FanOut;
import io.temptier.cli.nodes.JmxClient;
import io.temptier.cli.nodes.JmxUrl;
import io.temptier.cli.nodes.NodeFailure;
import io.temptier.hadoop.metrics.Metric;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.lang.Immutable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What a NodeManager says of itself, and how it is: one tree, which programs get as it is. */
public final class NodeStatus {
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

  /** Asks a node. */
  static NodeStatus ask(JmxClient node) throws NodeFailure {
    return of(node.url(), node.needed("TempTierInfo"), node.bean("TempTierShuffleInfo"));
  }

  /**
   * Reads the attributes of {@code TempTierInfo}, most of which are JSON in a text, as JMX knows no
   * better, and those of {@code TempTierShuffleInfo}, if there is one.
   */
  static NodeStatus of(JmxUrl url, JsonNode bean, Optional<JsonNode> shuffle) throws NodeFailure {
    ObjectNode told =
        MAPPER.createObjectNode().put("host", url.authority()).put("url", url.toString());
    TEXTS.forEach(text -> told.put(member(text), bean.path(text).asText(UNKNOWN)));
    told.put("modeReason", bean.path("ModeReason").asText(""));
    copy(url, bean, TREES, told);
    told.putNull("shuffle");
    if (shuffle.isPresent()) {
      copy(url, shuffle.get(), OF_SHUFFLE, told.putObject("shuffle"));
    }
    NodeStatus status = new NodeStatus(told);
    Verdict verdict = Verdict.of(status);
    told.put("trouble", verdict.trouble().name())
        .put("what", verdict.brief())
        .put("errors", verdict.errors());
    verdict.details().forEach(told.putArray("details")::add);
    return status;
  }

  /** Of what a round brought. */
  static NodeStatus of(FanOut.Result<NodeStatus> answer) {
    NodeFailure failure = answer.failure();
    if (answer.value() != null) {
      return answer.value();
    }
    boolean without = failure != null && failure.withoutTempTier();
    return silent(
        answer.url().authority(),
        without ? Trouble.WITHOUT : Trouble.UNKNOWN,
        failure == null ? "no answer" : failure.brief());
  }

  /** One that did not tell. */
  static NodeStatus silent(String node, Trouble trouble, String why) {
    return new NodeStatus(
        MAPPER
            .createObjectNode()
            .put("host", node)
            .put("trouble", trouble.name())
            .put("what", why));
  }

  /** The same with what differs from most nodes. */
  NodeStatus drifting(String how) {
    ObjectNode drifting = told.deepCopy();
    if (trouble() == Trouble.FINE) {
      drifting.put("trouble", Trouble.DRIFT.name());
    }
    return new NodeStatus(drifting.put("what", what().isEmpty() ? how : what() + "; " + how));
  }

  /** Takes over the JSON in attributes. */
  private static void copy(JmxUrl url, JsonNode bean, List<String> attributes, ObjectNode to)
      throws NodeFailure {
    for (String attribute : attributes) {
      // An older NodeManager tells of none.
      String none = attribute.equals(DRIVES) ? "[]" : "";
      try {
        to.set(member(attribute), MAPPER.readTree(bean.path(attribute).asText(none)));
      } catch (JsonProcessingException e) {
        throw new NodeFailure(
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

  /** Host and port. */
  public String node() {
    return text("host");
  }

  public Trouble trouble() {
    return Trouble.valueOf(text("trouble"));
  }

  /** The reasons in a few words, the worst first; empty when it is fine. */
  public String what() {
    return text("what");
  }

  /** A sentence of each reason that says what it means and what to do. */
  public List<String> details() {
    return stream(tree("details")).map(JsonNode::asText).collect(Immutable.toList());
  }

  /** Failures of any kind since the NodeManager's start. */
  long errors() {
    return tree("errors").asLong();
  }

  public long bytesSpilledDown() {
    return value(tree("node"), TierCounter.BYTES_SPILLED_DOWN);
  }

  /** Its tiers, fastest first. */
  List<TierSum> tiers() {
    return stream(tree("tiers")).map(TierSum::of).collect(Immutable.toList());
  }

  /** Its tier of a medium; empty where it has none. */
  public Optional<TierSum> tier(String medium) {
    return tiers().stream().filter(tier -> tier.medium().equals(medium)).findFirst();
  }

  /** How full its fastest tier is, 0 to 1. */
  double fastestFill() {
    return tiers().stream().findFirst().map(TierSum::fill).orElse(0.0);
  }

  /** Whether it told. */
  boolean told() {
    return told.has("mode");
  }

  /** A member, such as {@code mode} or {@code modeReason}. */
  String text(String member) {
    return told.path(member).asText();
  }

  /** A member, such as {@code tiers}, {@code node}, {@code dirs} or {@code drives}. */
  JsonNode tree(String member) {
    return told.path(member);
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
    return tiers().stream().map(TierSum::medium).collect(Collectors.joining(" over "));
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

  /** A number that is 0 where all is well, with what it says; empty when it is 0. */
  static Optional<String> told(JsonNode of, Metric metric) {
    return Optional.of(value(of, metric))
        .filter(count -> count > 0)
        .map(count -> count + " " + metric.attribute() + ": " + metric.doc());
  }

  static List<JsonNode> list(JsonNode array) {
    return stream(array).collect(Immutable.toList());
  }

  private static Stream<JsonNode> stream(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  List<JsonNode> findings(String severity) {
    return stream(tree("findings"))
        .filter(f -> f.path("severity").asText().equals(severity))
        .collect(Immutable.toList());
  }
}
