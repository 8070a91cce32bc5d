// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.JsonFile.Json;
import io.temptier.cli.Progress;
import io.temptier.cli.Table;
import io.temptier.cli.Terminal;
import io.temptier.cli.nodes.NodesOptions;
import io.temptier.cli.status.NodeStatus.Trouble;
import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "status",
    description = {
      "Shows what TempTier does in a running NodeManager, or in all of a cluster.",
      "It tells tiers, sizes, what was placed where, and what spilled down and why. With --rm or"
          + " --hosts there is one line for each node, those in trouble first."
    },
    exitCodeList = {
      "0:TempTier is active on all nodes, YARN uses them with all dirs, none is slow",
      "1:a NodeManager does not answer, runs without TempTier or in stock mode, YARN calls it"
          + " unhealthy, a dir failed or is slow, or tasks run without TempTier",
      "2:wrong use"
    })
public final class StatusCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final NodesOptions nodes = new NodesOptions();
  @Mixin private final JsonFile json = new JsonFile();
  @Mixin private final Table.Wide wide = new Table.Wide();

  @Override
  public Integer call() throws InterruptedException {
    List<NodeStatus> all = new ArrayList<>();
    try (Progress progress = terminal.progress("Asking " + nodes.named())) {
      progress.say("waiting for the answer");
      nodes.ask(
          terminal,
          NodeStatus::ask,
          (node, answer) -> all.add(answer),
          (node, failure) -> all.add(NodeStatus.silent(node, failure)));
    }
    StatusText text = new StatusText(json.textOf(terminal), wide.width(), terminal);
    if (nodes.single()) {
      NodeStatus node = all.get(0);
      text.print(node);
      json.write(node, terminal);
      return node.trouble().serious() ? ExitCodes.FAILED : ExitCodes.FINE;
    }
    drift(all, "version", "version");
    drift(all, "configuration", "fingerprint");
    all.sort(NodeStatus.WORST_FIRST);
    Map<String, TierSum> sums = new TreeMap<>(TierSum.FASTEST_FIRST);
    all.forEach(node -> node.tiers().forEach(t -> sums.merge(t.medium(), t, TierSum::plus)));
    List<TierSum> tiers = Immutable.listFrom(sums.values());
    Map<Trouble, Long> counts = new EnumMap<>(Trouble.class);
    all.forEach(node -> counts.merge(node.trouble(), 1L, Long::sum));
    text.print(nodes.asked(), all, counts, tiers);
    json.write(
        Json.object()
            .put("cluster", nodes.asked())
            .putPOJO("nodes", all)
            .putPOJO("tiers", tiers)
            .putPOJO("counts", counts),
        terminal);
    return counts.keySet().stream().noneMatch(Trouble::serious) ? ExitCodes.FINE : ExitCodes.FAILED;
  }

  /** Notes of each node that is unlike most in a member. */
  private static void drift(List<NodeStatus> nodes, String what, String member) {
    List<NodeStatus> reporting = new ArrayList<>(nodes);
    reporting.removeIf(node -> !node.told());
    Map<String, Integer> counts = new TreeMap<>();
    reporting.forEach(node -> counts.merge(node.text(member), 1, Integer::sum));
    for (NodeStatus node : reporting) {
      String most = Collections.max(counts.entrySet(), Map.Entry.comparingByValue()).getKey();
      if (!node.text(member).equals(most)) {
        node.drifts(what + " " + node.text(member) + ", not " + most);
      }
    }
  }
}
