// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.cli.Wide;
import io.temptier.cli.nodes.FanOut;
import io.temptier.cli.nodes.JmxClient;
import io.temptier.cli.nodes.NodeFailure;
import io.temptier.cli.nodes.NodesOptions;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
  private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

  /** Of a terminal as it comes, less the line with the time and one for the cursor. */
  private static final int SCREEN_LINES = 24 - 3;

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final NodesOptions nodes = new NodesOptions();
  @Mixin private final JsonFile json = new JsonFile();
  @Mixin private final Wide wide = new Wide();

  @Option(
      names = "--watch",
      paramLabel = "SECONDS",
      arity = "0..1",
      fallbackValue = "2",
      description =
          "Show it again and again, every 2 seconds or so many, until Ctrl-C; of a cluster, as many"
              + " nodes as fit 80 columns and 24 lines.")
  private @Nullable Integer watch;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "With --watch, stop after so many times.")
  private @Nullable Integer count;

  @Override
  public Integer call() throws InterruptedException {
    Integer seconds = watch;
    if (seconds == null && count != null) {
      throw terminal.wrongUse("--count goes with --watch.");
    }
    if ((seconds != null && seconds < 1) || (count != null && count < 1)) {
      throw terminal.wrongUse("--watch and --count want a number from 1.");
    }
    if (nodes.single()) {
      nodes.url(terminal);
    }
    FanOut round = nodes.round(terminal);
    return seconds == null ? once(round) : again(round, seconds);
  }

  private int once(FanOut round) throws InterruptedException {
    try (Progress progress = terminal.progress("Asking " + nodes.named())) {
      progress.say(nodes.single() ? "waiting for its answer" : "waiting for its nodes");
      return show(round, progress::close, Integer.MAX_VALUE);
    }
  }

  /**
   * Asks, then shows what was told.
   *
   * @param begin done between the two
   */
  private int show(FanOut round, Runnable begin, int lines) throws InterruptedException {
    boolean fine;
    if (nodes.single()) {
      NodeStatus status = node(round);
      begin.run();
      new StatusText(json.textOf(terminal), wide.width(), terminal).print(status);
      json.write(status, terminal);
      fine = status.active();
    } else {
      ClusterStatus status = ClusterStatus.ask(nodes, terminal, round);
      begin.run();
      new ClusterText(json.textOf(terminal), wide.width()).print(status, lines);
      json.write(status, terminal);
      fine = status.fine();
    }
    return fine ? ExitCodes.FINE : ExitCodes.FAILED;
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

  /** A daemon that is restarted meanwhile is waited for. */
  private int again(FanOut round, int seconds) throws InterruptedException {
    int code = ExitCodes.FINE;
    PrintWriter out = json.textOf(terminal);
    for (int times = 0; count == null || times < count; times++) {
      if (times > 0) {
        TimeUnit.SECONDS.sleep(seconds);
      }
      try {
        code = show(round, () -> begin(out), SCREEN_LINES);
      } catch (CommandFailure e) {
        code = ExitCodes.FAILED;
        begin(out);
        out.println(e.getMessage());
        ObjectNode failure = JsonNodeFactory.instance.objectNode();
        json.write(failure.put("url", nodes.named()).put("error", e.getMessage()), terminal);
      }
      out.println();
      out.flush();
    }
    return code;
  }

  /** What was shown stays until there is something new. */
  private void begin(PrintWriter out) {
    out.print(terminal.ansi().enabled() ? CLEAR_SCREEN : "");
    out.println(Instant.now().truncatedTo(ChronoUnit.SECONDS));
  }
}
