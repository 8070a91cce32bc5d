// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.cli.Wide;
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
    ClusterStatus status;
    try (Progress progress = terminal.progress("Asking " + nodes.named())) {
      progress.say("waiting for the answer");
      status = ClusterStatus.ask(nodes, terminal);
    }
    StatusText text = new StatusText(json.textOf(terminal), wide.width(), terminal);
    if (nodes.single()) {
      NodeStatus node = status.nodes().get(0);
      text.print(node);
      json.write(node, terminal);
      return node.active() ? ExitCodes.FINE : ExitCodes.FAILED;
    }
    text.print(status);
    json.write(status, terminal);
    return status.fine() ? ExitCodes.FINE : ExitCodes.FAILED;
  }
}
