// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.auto.value.AutoValue;
import io.temptier.cli.MediumOrder;
import io.temptier.cli.Terminal;
import io.temptier.cli.nodes.FanOut;
import io.temptier.cli.nodes.NodesOptions;
import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Many nodes at a glance. */
@AutoValue
public abstract class ClusterStatus {

  /** What may differ. */
  private static final Map<String, Function<NodeStatus, String>> ALIKE = new LinkedHashMap<>();

  /** What was asked: a ResourceManager or a file. */
  public abstract String cluster();

  /** Each node, the worst first. */
  public abstract List<NodeStatus> nodes();

  /** The sums of each tier over all nodes, fastest first. */
  public abstract List<TierSum> tiers();

  public abstract List<Drift> drift();

  public static ClusterStatus of(
      String cluster, List<NodeStatus> nodes, List<TierSum> tiers, List<Drift> drift) {
    return new AutoValue_ClusterStatus(cluster, nodes, tiers, drift);
  }

  static {
    ALIKE.put("mode", node -> node.text("mode"));
    ALIKE.put("version", node -> node.text("version"));
    ALIKE.put("configuration", node -> node.text("fingerprint"));
  }

  /** A property in which nodes differ. */
  @AutoValue
  public abstract static class Drift {
    /** For people: mode, version or configuration. */
    public abstract String what();

    /** The value that most of them have. */
    public abstract String most();

    /** The nodes with each other value. */
    public abstract Map<String, List<String>> others();

    public static Drift of(String what, String most, Map<String, List<String>> others) {
      return new AutoValue_ClusterStatus_Drift(what, most, others);
    }
  }

  /** Asks the nodes that were named, one or many. */
  public static ClusterStatus ask(NodesOptions nodes, Terminal terminal)
      throws InterruptedException {
    FanOut round = nodes.round(terminal);
    NodesOptions.Nodes asked = nodes.nodes(terminal);
    List<NodeStatus> told = new ArrayList<>();
    round.ask(asked.urls(), NodeStatus::ask).forEach(answer -> told.add(NodeStatus.of(answer)));
    asked.unasked().forEach((node, why) -> told.add(NodeStatus.silent(node, Trouble.UNKNOWN, why)));
    return of(asked.name(), told);
  }

  /** Sorts and sums up what a round brought, in any order. */
  static ClusterStatus of(String cluster, Collection<NodeStatus> told) {
    List<Drift> drift = drift(told);
    List<NodeStatus> nodes = new ArrayList<>();
    told.forEach(node -> nodes.add(marked(node, drift)));
    nodes.sort(
        Comparator.comparing(NodeStatus::trouble)
            .thenComparing(NodeStatus::errors, Comparator.reverseOrder())
            .thenComparing(NodeStatus::fastestFill, Comparator.reverseOrder())
            .thenComparing(NodeStatus::node));
    return ClusterStatus.of(cluster, nodes, sums(nodes), drift);
  }

  private static List<TierSum> sums(List<NodeStatus> nodes) {
    Map<String, TierSum> sums = new TreeMap<>(MediumOrder.FASTEST_FIRST);
    nodes.forEach(
        node -> node.tiers().forEach(tier -> sums.merge(tier.medium(), tier, TierSum::plus)));
    return Immutable.listFrom(sums.values());
  }

  private static List<Drift> drift(Collection<NodeStatus> nodes) {
    List<Drift> drift = new ArrayList<>();
    ALIKE.forEach(
        (what, value) -> {
          Map<String, List<String>> byValue = new TreeMap<>();
          nodes.stream()
              .filter(NodeStatus::told)
              .sorted(Comparator.comparing(NodeStatus::node))
              .forEach(
                  node ->
                      byValue
                          .computeIfAbsent(value.apply(node), any -> new ArrayList<>())
                          .add(node.node()));
          if (byValue.size() > 1) {
            String most =
                byValue.entrySet().stream()
                    .max(Comparator.comparingInt(entry -> entry.getValue().size()))
                    .map(Map.Entry::getKey)
                    .orElse("");
            byValue.remove(most);
            drift.add(Drift.of(what, most, byValue));
          }
        });
    return drift;
  }

  /** A node's mode is its trouble already. */
  private static NodeStatus marked(NodeStatus node, List<Drift> drift) {
    NodeStatus marked = node;
    for (Drift each : drift) {
      String value = Objects.requireNonNull(ALIKE.get(each.what())).apply(node);
      if (node.told() && !each.what().equals("mode") && !value.equals(each.most())) {
        marked = marked.drifting(each.what() + " " + value);
      }
    }
    return marked;
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
