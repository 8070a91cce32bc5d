// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import java.io.PrintWriter;
import java.net.URISyntaxException;
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
      "Shows what TempTier does in a running NodeManager: tiers, sizes, what was placed where,",
      "and what spilled down and why."
    },
    exitCodeList = {
      "0:TempTier is active",
      "1:the NodeManager does not answer, does not run TempTier, or runs it in stock mode",
      "2:wrong use"
    },
    sortOptions = false)
public final class StatusCommand implements Callable<Integer> {
  private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final JsonFile json = new JsonFile();

  @Option(
      names = "--jmx",
      paramLabel = "URL",
      defaultValue = JmxUrl.DEFAULT,
      description =
          "The NodeManager's web address: a host, a host and port, or a URL. Default:"
              + " ${DEFAULT-VALUE}.")
  private String jmx = JmxUrl.DEFAULT;

  @Option(
      names = "--watch",
      paramLabel = "SECONDS",
      arity = "0..1",
      fallbackValue = "2",
      description = "Show it again and again, every 2 seconds or so many, until Ctrl-C.")
  private @Nullable Integer watch;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "With --watch, stop after so many times.")
  private @Nullable Integer count;

  @Override
  public Integer call() throws InterruptedException {
    JmxClient client = new JmxClient(url());
    Integer seconds = watch;
    if (seconds == null) {
      if (count != null) {
        throw terminal.wrongUse("--count goes with --watch.");
      }
      return once(client);
    }
    if (seconds < 1 || (count != null && count < 1)) {
      throw terminal.wrongUse("--watch and --count want a number from 1.");
    }
    return again(client, seconds);
  }

  private JmxUrl url() {
    try {
      return JmxUrl.parse(jmx);
    } catch (URISyntaxException e) {
      throw terminal.wrongUse("--jmx " + jmx + ": " + e.getReason() + ".");
    }
  }

  private int once(JmxClient client) {
    NodeStatus status;
    try (Progress progress = terminal.progress("Asking " + jmx)) {
      progress.say("waiting for its answer");
      status = client.status();
    }
    return show(status);
  }

  private int show(NodeStatus status) {
    new StatusText(json.textOf(terminal), terminal).print(status);
    json.write(status, terminal);
    return status.active() ? ExitCodes.FINE : ExitCodes.FAILED;
  }

  /** A NodeManager that is restarted meanwhile is waited for. */
  private int again(JmxClient client, int seconds) throws InterruptedException {
    int code = ExitCodes.FINE;
    PrintWriter out = json.textOf(terminal);
    for (int round = 0; count == null || round < count; round++) {
      if (round > 0) {
        TimeUnit.SECONDS.sleep(seconds);
      }
      out.print(terminal.ansi().enabled() ? CLEAR_SCREEN : "");
      out.println(Instant.now().truncatedTo(ChronoUnit.SECONDS));
      try {
        code = show(client.status());
      } catch (CommandFailure e) {
        code = ExitCodes.FAILED;
        out.println(e.getMessage());
        ObjectNode failure = JsonNodeFactory.instance.objectNode();
        json.write(failure.put("url", jmx).put("error", e.getMessage()), terminal);
      }
      out.println();
      out.flush();
    }
    return code;
  }
}
