// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.Progress;
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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Mixin with whose history is read, and of what time. */
final class HistoryOptions {
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

  private TimeRange time = TimeRange.ALL;

  HistoryData read(Terminal terminal) throws InterruptedException {
    time = TimeRange.of(terminal, since, until);
    if (localDirs.given() && !nodes.none()) {
      throw terminal.wrongUse(
          "--dir and --conf-dir name this node, --jmx, --rm and --hosts others: choose one.");
    }
    try (Progress progress = terminal.progress("Reading history")) {
      progress.say("of " + (nodes.none() ? "this node" : nodes.named()));
      return nodes.none() ? ofThisNode(terminal) : ofNodes(terminal);
    }
  }

  private HistoryData ofThisNode(Terminal terminal) {
    Optional<List<Path>> dirs = localDirs.dirs(terminal, true);
    if (!dirs.isPresent()) {
      throw terminal.wrongUse(
          "Whose history? Give --conf-dir DIR or --dir ROOT on a node, or --jmx, --rm or --hosts.");
    }
    return HistoryData.ofLocalDirs(dirs.get());
  }

  private HistoryData ofNodes(Terminal terminal) throws InterruptedException {
    HistoryData past = new HistoryData(nodes.named());
    nodes.ask(
        terminal,
        HistoryOptions::historyOf,
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

  /** Returns the wanted applications of the time asked for, most spilled bytes first. */
  List<ApplicationHistory> chosen(HistoryData past, Predicate<ApplicationHistory> wanted) {
    return past.applications.values().stream()
        .filter(
            one ->
                time.meets(one.number(ApplicationHistory.FROM), one.number(ApplicationHistory.TO)))
        .filter(wanted)
        .sorted(
            Comparator.comparingLong(ApplicationHistory::bytesSpilled)
                .thenComparingLong(ApplicationHistory::bytes)
                .reversed()
                .thenComparing(ApplicationHistory::application))
        .collect(Immutable.toList());
  }

  static CommandFailure nothing(HistoryData past) {
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
