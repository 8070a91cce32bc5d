// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.cli.Wide;
import io.temptier.cli.nodes.FanOut;
import io.temptier.cli.nodes.JmxClient;
import io.temptier.cli.nodes.NodeFailure;
import io.temptier.cli.nodes.NodesOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code temptier status}. */
@Command(
    name = "status",
    description = {
      "Shows what TempTier does in a running NodeManager, or in all of a cluster.",
      "It tells tiers, sizes, what was placed where, and what spilled down and why. With --rm or"
          + " --hosts there is one line for each node, those in trouble first."
    },
    exitCodeList = {
      "0:TempTier is active; of a cluster: on all nodes, with all dirs in use and none slow",
      "1:a NodeManager does not answer, does not run TempTier, or runs it in stock mode;"
          + " of a cluster also: a dir failed or is slow",
      "2:wrong use"
    },
    sortOptions = false)
public final class StatusCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final NodesOptions nodes = new NodesOptions();
  @Mixin private final JsonFile json = new JsonFile();
  @Mixin private final Wide wide = new Wide();

  @Override
  public Integer call() throws InterruptedException {
    if (nodes.single()) {
      nodes.url(terminal);
    }
    FanOut round = nodes.round(terminal);
    try (Progress progress = terminal.progress("Asking " + nodes.named())) {
      progress.say(nodes.single() ? "waiting for its answer" : "waiting for its nodes");
      return show(round, progress::close) ? ExitCodes.FINE : ExitCodes.FAILED;
    }
  }

  /**
   * Asks, then shows what was told.
   *
   * @param begin done between the two
   */
  private boolean show(FanOut round, Runnable begin) throws InterruptedException {
    if (nodes.single()) {
      NodeStatus status = node(round);
      begin.run();
      new StatusText(json.textOf(terminal), wide.width(), terminal).print(status);
      json.write(status, terminal);
      return status.active();
    }
    ClusterStatus status = ClusterStatus.ask(nodes, terminal, round);
    begin.run();
    new ClusterText(json.textOf(terminal), wide.width()).print(status);
    json.write(status, terminal);
    return status.fine();
  }

  private NodeStatus node(FanOut round) throws InterruptedException {
    try {
      return round.ask(nodes.url(terminal), StatusCommand::wholeStatus);
    } catch (NodeFailure e) {
      throw e.ofCommand();
    }
  }

  private static NodeStatus wholeStatus(JmxClient node) throws NodeFailure {
    return NodeStatus.of(
        node.url().toString(), node.needed(NodeStatus.BEAN), node.bean("TempTierShuffleInfo"));
  }
}
