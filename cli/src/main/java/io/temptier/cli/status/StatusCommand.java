// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.cli.Wide;
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
    return (nodes.single() ? one() : all()) ? ExitCodes.FINE : ExitCodes.FAILED;
  }

  private boolean one() throws InterruptedException {
    NodeStatus status;
    try (Progress progress = terminal.progress("Asking " + nodes.named())) {
      progress.say("waiting for its answer");
      status = nodes.round(terminal).ask(nodes.url(terminal), NodeStatus::ask);
    } catch (NodeFailure e) {
      throw e.ofCommand();
    }
    new StatusText(json.textOf(terminal), wide.width(), terminal).print(status);
    json.write(status, terminal);
    return status.active();
  }

  private boolean all() throws InterruptedException {
    ClusterStatus status;
    try (Progress progress = terminal.progress("Asking " + nodes.named())) {
      progress.say("waiting for its nodes");
      status = ClusterStatus.ask(nodes, terminal);
    }
    new ClusterText(json.textOf(terminal), wide.width()).print(status);
    json.write(status, terminal);
    return status.fine();
  }
}
