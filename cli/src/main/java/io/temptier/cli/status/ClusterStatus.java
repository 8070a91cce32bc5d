// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.auto.value.AutoValue;
import io.temptier.cli.MediumOrder;
import io.temptier.cli.Terminal;
import io.temptier.cli.nodes.FanOut;
import io.temptier.cli.nodes.NodeFailure;
import io.temptier.cli.nodes.NodesOptions;
import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The nodes that were asked, one or many, at a glance. */
@AutoValue
public abstract class ClusterStatus {
  /** What was asked: a node, a ResourceManager or a file. */
  public abstract String cluster();

  /** Each node, the worst first. */
  public abstract List<NodeStatus> nodes();

  /** The sums of each tier over all nodes, fastest first. */
  public abstract List<TierSum> tiers();

  /** Asks the nodes that were named; ends the command when one alone was, and does not tell. */
  public static ClusterStatus ask(NodesOptions nodes, Terminal terminal)
      throws InterruptedException {
    FanOut round = nodes.round(terminal);
    NodesOptions.Nodes asked = nodes.nodes(terminal);
    List<NodeStatus> told = new ArrayList<>();
    for (FanOut.Result<NodeStatus> answer : round.ask(asked.urls(), NodeStatus::ask)) {
      try {
        told.add(answer.orThrow());
      } catch (NodeFailure e) {
        if (nodes.single()) {
          throw e.ofCommand();
        }
        Trouble trouble = e.withoutTempTier() ? Trouble.WITHOUT : Trouble.UNKNOWN;
        told.add(NodeStatus.silent(answer.url().authority(), trouble, e.brief()));
      }
    }
    asked.unasked().forEach((node, why) -> told.add(NodeStatus.silent(node, Trouble.UNKNOWN, why)));
    drift(told, "version", "version");
    drift(told, "configuration", "fingerprint");
    told.sort(
        Comparator.comparing(NodeStatus::trouble)
            .thenComparing(node -> node.tree("errors").asLong(), Comparator.reverseOrder())
            .thenComparing(NodeStatus::fastestFill, Comparator.reverseOrder())
            .thenComparing(NodeStatus::node));
    Map<String, TierSum> tiers = new TreeMap<>(MediumOrder.FASTEST_FIRST);
    told.forEach(node -> node.tiers().forEach(t -> tiers.merge(t.medium(), t, TierSum::plus)));
    return new AutoValue_ClusterStatus(asked.name(), told, Immutable.listFrom(tiers.values()));
  }

  /** Notes of each node that is unlike most in a member. */
  private static void drift(List<NodeStatus> nodes, String what, String member) {
    Map<String, Long> counts =
        nodes.stream()
            .filter(NodeStatus::told)
            .map(node -> node.text(member))
            .collect(Collectors.groupingBy(value -> value, TreeMap::new, Collectors.counting()));
    String most =
        counts.entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .orElse("");
    nodes.stream()
        .filter(node -> node.told() && !node.text(member).equals(most))
        .forEach(node -> node.drifts(what + " " + node.text(member) + ", not " + most));
  }

  /** How many nodes are in which trouble, worst first. */
  @JsonProperty
  public Map<Trouble, Long> counts() {
    return nodes().stream()
        .collect(
            Collectors.groupingBy(
                NodeStatus::trouble, () -> new EnumMap<>(Trouble.class), Collectors.counting()));
  }

  /** Whether nobody needs to look. */
  public boolean fine() {
    return nodes().stream().noneMatch(node -> node.trouble().serious());
  }
}
