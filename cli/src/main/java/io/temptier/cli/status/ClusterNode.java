// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.nodes.FanOut;
import io.temptier.cli.nodes.JmxClient;
import io.temptier.cli.nodes.JmxUrl;
import io.temptier.cli.nodes.NodeFailure;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.lang.Immutable;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One node in the view of a cluster: what of its status counts there. */
public final class ClusterNode {
  private final String node;
  private final Trouble trouble;
  private final String what;
  private final List<String> details;
  private final @Nullable NodeStatus status;
  private final long errors;
  private final List<TierSum> tiers;

  private ClusterNode(
      String node,
      Trouble trouble,
      String what,
      List<String> details,
      @Nullable NodeStatus status,
      long errors) {
    this.node = node;
    this.trouble = trouble;
    this.what = what;
    this.details = details;
    this.status = status;
    this.errors = errors;
    this.tiers =
        status == null
            ? Immutable.listOf()
            : status.list("tiers").stream().map(TierSum::of).collect(Immutable.toList());
  }

  static ClusterNode ask(JmxClient node) throws NodeFailure {
    NodeStatus status =
        NodeStatus.of(node.url().toString(), node.needed(NodeStatus.BEAN), Optional.empty());
    return of(node.url(), status, node.bean("TempTierDemotion"));
  }

  /** Of a node's bean and, where TempTier's shuffle handler serves, that of demotion. */
  static ClusterNode of(JmxUrl url, NodeStatus status, Optional<JsonNode> demotion) {
    Verdict verdict = Verdict.of(status, demotion);
    return new ClusterNode(
        url.authority(),
        verdict.trouble(),
        verdict.brief(),
        verdict.details(),
        status,
        verdict.errors());
  }

  /** Of what a round brought. */
  static ClusterNode of(FanOut.Result<ClusterNode> answer) {
    NodeFailure failure = answer.failure();
    if (answer.value() != null) {
      return answer.value();
    }
    Trouble trouble =
        failure != null && failure.withoutTempTier() ? Trouble.WITHOUT : Trouble.UNKNOWN;
    String why = failure == null ? "no answer" : failure.brief();
    return unknown(answer.url().authority(), trouble, why);
  }

  static ClusterNode silent(String node, String why) {
    return unknown(node, Trouble.UNKNOWN, why);
  }

  private static ClusterNode unknown(String node, Trouble trouble, String why) {
    return new ClusterNode(node, trouble, why, Immutable.listOf(), null, 0);
  }

  /** The same with what differs from most nodes. */
  ClusterNode drifting(String how) {
    return new ClusterNode(
        node,
        trouble == Trouble.FINE ? Trouble.DRIFT : trouble,
        what.isEmpty() ? how : what + "; " + how,
        details,
        status,
        errors);
  }

  /** Host and port. */
  public String node() {
    return node;
  }

  public Trouble trouble() {
    return trouble;
  }

  /** The reason, in a few words; empty when it is fine. */
  public String what() {
    return what;
  }

  /** {@code mode}, {@code version} or {@code fingerprint}; null when it did not tell. */
  @Nullable String told(String member) {
    return status == null ? null : status.text(member);
  }

  /** Its tiers, fastest first. */
  public List<TierSum> tiers() {
    return tiers;
  }

  /** Failures of any kind since the NodeManager's start. */
  public long errors() {
    return errors;
  }

  public long bytesSpilledDown() {
    return number(TierCounter.BYTES_SPILLED_DOWN);
  }

  private long number(TierCounter counter) {
    return status == null ? 0 : NodeStatus.value(status.tree("node"), counter);
  }

  /** A sentence of each reason that says what it means and what to do. */
  public List<String> details() {
    return details;
  }

  /** Its tier of a medium; empty where it has none. */
  public Optional<TierSum> tier(String medium) {
    return tiers.stream().filter(tier -> tier.medium().equals(medium)).findFirst();
  }

  /** How full its fastest tier is, 0 to 1. */
  double fastestFill() {
    return tiers.isEmpty() ? 0 : tiers.get(0).fill();
  }

  @JsonValue
  ObjectNode json() {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("node", node)
            .put("trouble", trouble.name())
            .put("what", what)
            .put("mode", told("mode"))
            .put("version", told("version"))
            .put("fingerprint", told("fingerprint"));
    json.putPOJO("tiers", tiers);
    json.putPOJO("details", details);
    return json.put("errors", errors)
        .put("filesSpilledDown", number(TierCounter.FILES_SPILLED_DOWN))
        .put("bytesSpilledDown", bytesSpilledDown());
  }
}
