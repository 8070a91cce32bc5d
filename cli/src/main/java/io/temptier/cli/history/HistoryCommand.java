// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.JsonFile.Json;
import io.temptier.cli.Progress;
import io.temptier.cli.Table;
import io.temptier.cli.Terminal;
import io.temptier.cli.TimeRange;
import io.temptier.cli.Words;
import io.temptier.cli.nodes.JmxClient;
import io.temptier.cli.nodes.JmxClient.NodeFailure;
import io.temptier.cli.nodes.NodesOptions;
import io.temptier.tier.lang.Immutable;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "history",
    description = {
      "Tells what became of applications' temporary data, after they ended too.",
      "It has bytes by tier, what spilled down and why, what was demoted. The one that spilled most"
          + " comes first.",
      "Of this node from its local dirs, or of running nodes with --jmx, --rm or --hosts."
    },
    exitCodeList = {"0:told", "1:no such application, or no node told", "2:wrong use"})
public final class HistoryCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final LocalDirOptions localDirs = new LocalDirOptions();
  @Mixin private final NodesOptions nodes = new NodesOptions();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description =
          "Those that were there after it: how long ago, such as 12h, or 2026-01-31,"
              + " 2026-01-31T22:00, 2026-01-31T22:00:00Z.")
  private @Nullable String since;

  @Option(names = "--until", paramLabel = "TIME", description = "Those that were there before it.")
  private @Nullable String until;

  @Mixin private final JsonFile json = new JsonFile();
  @Mixin private final Table.Wide wide = new Table.Wide();

  @Option(names = "--user", paramLabel = "NAME", description = "Those of a user.")
  private @Nullable String user;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many to show. Default: ${DEFAULT-VALUE}.")
  private int top = 20;

  @Override
  public Integer call() throws InterruptedException {
    terminal.atLeastOne("--top", top);
    TimeRange time = TimeRange.of(terminal, since, until);
    HistoryData past = read();
    List<ApplicationHistory> found = chosen(past, time);
    if (found.isEmpty()) {
      throw nothing(past);
    }
    List<ApplicationHistory> shown = found.subList(0, Math.min(top, found.size()));
    int left = found.size() - shown.size();
    new HistoryText(json.textOf(terminal)).print(past, shown, left, wide.width());
    json.write(
        Json.object()
            .put("source", past.source)
            .putPOJO("applications", shown)
            .put("left", left)
            .putPOJO("silent", past.silent)
            .put("linesSkipped", past.linesSkipped),
        terminal);
    return ExitCodes.FINE;
  }

  private HistoryData read() throws InterruptedException {
    if (localDirs.given() && !nodes.none()) {
      throw terminal.wrongUse(
          "--dir and --conf-dir name this node, --jmx, --rm and --hosts others: choose one.");
    }
    try (Progress progress = terminal.progress("Reading history")) {
      progress.say("of " + (nodes.none() ? "this node" : nodes.named()));
      return nodes.none() ? ofThisNode() : ofNodes();
    }
  }

  private HistoryData ofThisNode() {
    Optional<List<Path>> dirs = localDirs.dirs(terminal, true);
    if (!dirs.isPresent()) {
      throw terminal.wrongUse(
          "Whose history? Give --conf-dir DIR or --dir ROOT on a node, or --jmx, --rm or --hosts.");
    }
    return HistoryData.ofLocalDirs(dirs.get());
  }

  private HistoryData ofNodes() throws InterruptedException {
    HistoryData past = new HistoryData(nodes.named());
    nodes.ask(
        terminal,
        HistoryCommand::historyOf,
        past::add,
        (node, failure) -> past.silent.put(node, failure.brief()));
    return past;
  }

  private static JsonNode historyOf(JmxClient node) throws NodeFailure {
    Optional<JsonNode> bean = node.bean("TempTierHistory");
    if (bean.isPresent()) {
      return bean.get();
    }
    node.needed("TempTierInfo");
    throw node.failure("no.history", null, node.node());
  }

  /** Returns the applications of the time and user asked for, most spilled bytes first. */
  private List<ApplicationHistory> chosen(HistoryData past, TimeRange time) {
    return past.applications.values().stream()
        .filter(
            one ->
                time.meets(one.number(ApplicationHistory.FROM), one.number(ApplicationHistory.TO)))
        .filter(one -> user == null || one.user().equals(user))
        .sorted(
            Comparator.comparingLong(ApplicationHistory::bytesSpilled)
                .thenComparingLong(ApplicationHistory::bytes)
                .reversed()
                .thenComparing(ApplicationHistory::application))
        .collect(Immutable.toList());
  }

  private static CommandFailure nothing(HistoryData past) {
    int all = past.applications.size();
    if (all > 0) {
      return new CommandFailure(
          String.format(
              "Of %s in %s none is of that time or user.%s",
              Words.plural(all, "application"), past.source, past.unreadableText()));
    }
    String why =
        past.silent.isEmpty()
            ? "a NodeManager with TempTier writes one down some seconds after it has ended."
            : String.format(
                "%s did not tell, such as %s.",
                Words.plural(past.silent.size(), "node"), past.silent.entrySet().iterator().next());
    return new CommandFailure(
        "No application is written down in " + past.source + ": " + why + past.unreadableText());
  }
}
