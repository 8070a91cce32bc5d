// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.auto.value.AutoValue;
import io.temptier.cli.nodes.FanOut;
import io.temptier.cli.nodes.JmxClient;
import io.temptier.cli.nodes.JmxUrl;
import io.temptier.cli.nodes.NodeFailure;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One node in the view of a cluster. */
@AutoValue
public abstract class ClusterNode {
  /** Host and port. */
  public abstract String node();

  public abstract Trouble trouble();

  /** The reason, in a few words; empty when it is fine. */
  public abstract String what();

  /** {@code ACTIVE} or {@code STOCK}; null when it did not tell, as the next two. */
  public abstract @Nullable String mode();

  public abstract @Nullable String version();

  public abstract @Nullable String fingerprint();

  /** Its tiers, fastest first. */
  public abstract List<TierSum> tiers();

  /** Its local dirs that are slow, being emptied or cannot be used, each with what it is. */
  public abstract List<String> dirs();

  /** Failures of any kind since the NodeManager's start. */
  public abstract long errors();

  /** Files that a faster tier refused since then. */
  public abstract long filesSpilledDown();

  public abstract long bytesSpilledDown();

  public static ClusterNode of(
      String node,
      Trouble trouble,
      String what,
      @Nullable String mode,
      @Nullable String version,
      @Nullable String fingerprint,
      List<TierSum> tiers,
      List<String> dirs,
      long errors,
      long filesSpilledDown,
      long bytesSpilledDown) {
    return new AutoValue_ClusterNode(
        node,
        trouble,
        what,
        mode,
        version,
        fingerprint,
        tiers,
        dirs,
        errors,
        filesSpilledDown,
        bytesSpilledDown);
  }

  static ClusterNode ask(JmxClient node) throws NodeFailure {
    NodeStatus status =
        NodeStatus.of(node.url().toString(), node.needed(NodeStatus.BEAN), Optional.empty());
    return of(node.url(), status, node.bean("TempTierDemotion"));
  }

  /** Of a node's bean and, where TempTier's shuffle handler serves, that of demotion. */
  static ClusterNode of(JmxUrl url, NodeStatus status, Optional<JsonNode> demotion) {
    Verdict verdict = Verdict.of(status, demotion);
    return ClusterNode.of(
        url.authority(),
        verdict.trouble(),
        verdict.brief(),
        status.text("mode"),
        status.text("version"),
        status.text("fingerprint"),
        status.list("tiers").stream().map(TierSum::of).collect(Immutable.toList()),
        status.list("dirs").stream()
            .flatMap(dir -> trouble(dir).map(Stream::of).orElseGet(Stream::empty))
            .collect(Immutable.toList()),
        verdict.errors(),
        NodeStatus.value(status.tree("node"), TierCounter.FILES_SPILLED_DOWN),
        NodeStatus.value(status.tree("node"), TierCounter.BYTES_SPILLED_DOWN));
  }

  private static Optional<String> trouble(JsonNode dir) {
    List<String> is = new ArrayList<>();
    String why = NodeStatus.whyUnusable(dir);
    if (!dir.path("readable").asBoolean(true)) {
      is.add("cannot be used" + (why.isEmpty() ? "" : ": " + why));
    } else if (!why.isEmpty()) {
      is.add("not in order: " + why);
    }
    if (dir.path("slow").asBoolean(false)) {
      is.add("slower than the next tier");
    }
    if (dir.path("draining").asBoolean(false)) {
      is.add("being emptied");
    }
    return is.isEmpty()
        ? Optional.empty()
        : Optional.of(
            String.format(
                "%s (%s): %s",
                dir.path("path").asText(), dir.path("medium").asText(), String.join(", ", is)));
  }

  static ClusterNode silent(String node, String why) {
    return unknown(node, Trouble.UNKNOWN, why);
  }

  /** Of what a round brought. */
  static ClusterNode of(FanOut.Result<ClusterNode> answer) {
    NodeFailure failure = answer.failure();
    if (answer.value() != null) {
      return answer.value();
    }
    Trouble trouble =
        failure != null && failure.withoutTempTier() ? Trouble.WITHOUT : Trouble.UNKNOWN;
    return unknown(
        answer.url().authority(), trouble, failure == null ? "no answer" : failure.brief());
  }

  private static ClusterNode unknown(String node, Trouble trouble, String why) {
    return ClusterNode.of(
        node, trouble, why, null, null, null, Immutable.listOf(), Immutable.listOf(), 0, 0, 0);
  }

  /** The same with what differs from most nodes. */
  ClusterNode drifting(String how) {
    return ClusterNode.of(
        node(),
        trouble() == Trouble.FINE ? Trouble.DRIFT : trouble(),
        what().isEmpty() ? how : what() + "; " + how,
        mode(),
        version(),
        fingerprint(),
        tiers(),
        dirs(),
        errors(),
        filesSpilledDown(),
        bytesSpilledDown());
  }

  /** Its tier of a medium; empty where it has none. */
  public Optional<TierSum> tier(String medium) {
    return tiers().stream().filter(tier -> tier.medium().equals(medium)).findFirst();
  }

  /** How full its fastest tier is, 0 to 1. */
  double fastestFill() {
    return tiers().isEmpty() ? 0 : tiers().get(0).fill();
  }
}
