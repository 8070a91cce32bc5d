// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.JsonFile.Json;
import io.temptier.cli.nodes.JmxClient;
import io.temptier.cli.nodes.JmxClient.NodeFailure;
import io.temptier.hadoop.metrics.Metric;
import io.temptier.tier.lang.Immutable;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** A NodeManager's report, and how the node is: one tree, which programs get as it is. */
public final class NodeStatus {
  /** State of a node of a cluster, worst first. */
  public enum Trouble {
    /** Unknown: the node does not answer, or not as a NodeManager, or not to this user. */
    UNKNOWN,
    WITHOUT,
    /** TempTier is there, and stock Hadoop places files. */
    STOCK,
    /** A local dir is lost, set aside, missing or hung, or YARN does not use it or the node. */
    FAILED,
    /** Most tasks of MapReduce ran without TempTier's jars. */
    TASKS,
    /** A local dir answers slower than the next tier. */
    SLOW,
    /** Something failed since its start. */
    ERRORS,
    /** Works, but not as well as it could: the configuration or a local dir. */
    WARNED,
    /** A local dir is being emptied. */
    DRAINING,
    /** Differs from most nodes in its version or configuration. */
    DRIFT,
    /** None of these. */
    FINE;

    /** True if somebody should look at it now. */
    boolean serious() {
      return compareTo(SLOW) <= 0;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Sorts by trouble; in the same trouble most errors come first, then the fullest. */
  static final Comparator<NodeStatus> WORST_FIRST =
      Comparator.comparing(NodeStatus::trouble)
          .thenComparing(node -> node.tree("errors").asLong(), Comparator.reverseOrder())
          .thenComparing(
              node -> node.tiers().stream().findFirst().map(TierSum::fill).orElse(0.0),
              Comparator.reverseOrder())
          .thenComparing(NodeStatus::node);

  private static final List<String> TEXTS =
      Immutable.listOf("Version", "Fingerprint", "Mode", "ModeReason");
  private static final List<String> TREES =
      Immutable.listOf("Settings", "Tiers", "Node", "Dirs", "Findings");
  private static final List<String> OF_SHUFFLE = Immutable.listOf("Media", "Lanes", "Demotion");

  private final ObjectNode json;

  private NodeStatus(ObjectNode json) {
    this.json = json;
  }

  /** Asks a node, which may have stock's shuffle handler, and judges what it says. */
  static NodeStatus ask(JmxClient node) throws NodeFailure {
    ObjectNode json = Json.object();
    json.put("host", node.node()).put("url", node.url().toString());
    try {
      JsonNode info = node.needed("TempTierInfo");
      TEXTS.forEach(text -> json.put(member(text), info.path(text).asText()));
      copy(info, TREES, json);
      Optional<JsonNode> shuffle = node.bean("TempTierShuffleInfo");
      yarn(node, json);
      json.putNull("shuffle");
      if (shuffle.isPresent()) {
        copy(shuffle.get(), OF_SHUFFLE, json.putObject("shuffle"));
      }
    } catch (JsonProcessingException e) {
      throw node.failure("version", e, e.getOriginalMessage());
    }
    NodeStatus status = new NodeStatus(json);
    new Verdict(status).addTo(json);
    return status;
  }

  /** YARN's own word: whether it uses the node, which dirs it has dropped, and why. */
  private static void yarn(JmxClient node, ObjectNode json) throws NodeFailure {
    ObjectNode yarn = json.putObject("yarn");
    long bad =
        node.bean("NodeManagerMetrics").map(bean -> bean.path("BadLocalDirs").asLong()).orElse(0L);
    yarn.put("badLocalDirs", bad);
    try {
      JsonNode info = node.json("/ws/v1/node/info").path("nodeInfo");
      yarn.put("healthy", info.path("nodeHealthy").asBoolean(true))
          .put("report", info.path("healthReport").asText());
    } catch (NodeFailure e) {
      // The dirs' count has to do, where nobody may see that page.
      yarn.put("healthy", true).put("report", "its page does not tell why, " + e.brief());
    }
  }

  static NodeStatus silent(String node, NodeFailure failure) {
    Trouble trouble = failure.withoutTempTier() ? Trouble.WITHOUT : Trouble.UNKNOWN;
    ObjectNode json = Json.object().put("host", node);
    return new NodeStatus(json.put("trouble", trouble.name()).put("what", failure.brief()));
  }

  void drifts(String how) {
    if (trouble() == Trouble.FINE) {
      json.put("trouble", Trouble.DRIFT.name());
    }
    json.put("what", what().isEmpty() ? how : what() + "; " + how);
  }

  /** Takes over attributes that are JSON in a text, as JMX knows no better. */
  private static void copy(JsonNode bean, List<String> attributes, ObjectNode to)
      throws JsonProcessingException {
    for (String attribute : attributes) {
      to.set(member(attribute), Json.MAPPER.readTree(bean.path(attribute).asText()));
    }
  }

  private static String member(String attribute) {
    return attribute.substring(0, 1).toLowerCase(Locale.ROOT) + attribute.substring(1);
  }

  @JsonValue
  ObjectNode json() {
    return json;
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
    return list(tree("details")).stream().map(JsonNode::asText).collect(Immutable.toList());
  }

  List<TierSum> tiers() {
    return list(tree("tiers")).stream().map(TierSum::new).collect(Immutable.toList());
  }

  boolean told() {
    return json.has("mode");
  }

  boolean active() {
    return text("mode").equals("ACTIVE");
  }

  String text(String member) {
    return json.path(member).asText();
  }

  JsonNode tree(String member) {
    return json.path(member);
  }

  /** A number; 0 where there is none. */
  static long value(JsonNode json, Metric metric) {
    return json.path(metric.attribute()).asLong();
  }

  /** A number that is 0 where all is well, with what it says; empty when it is 0. */
  static Optional<String> told(JsonNode json, Metric metric) {
    return Optional.of(value(json, metric))
        .filter(count -> count > 0)
        .map(count -> count + " " + metric.attribute() + ": " + metric.definition().doc());
  }

  static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).collect(Immutable.toList());
  }

  List<JsonNode> findings(String severity) {
    return list(tree("findings")).stream()
        .filter(finding -> finding.path("severity").asText().equals(severity))
        .collect(Immutable.toList());
  }
}
