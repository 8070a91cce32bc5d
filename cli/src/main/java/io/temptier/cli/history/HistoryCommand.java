// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.JsonFile;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.cli.nodes.FanOut;
import io.temptier.cli.nodes.JmxClient;
import io.temptier.cli.nodes.NodeFailure;
import io.temptier.cli.nodes.NodesOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code temptier history}. */
@Command(
    name = "history",
    description = {
      "Tells what became of applications' temporary data, after they ended too: bytes by tier,"
          + " what",
      "spilled down and why, what was demoted. The one that spilled most comes first.",
      "Of this node from its local dirs, or of running nodes with --jmx, --rm or --hosts."
    },
    exitCodeList = {"0:told", "1:no such application, or no node told", "2:wrong use"},
    sortOptions = false)
public final class HistoryCommand implements Callable<Integer> {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final LocalDirOptions localDirs = new LocalDirOptions();
  @Mixin private final NodesOptions nodes = new NodesOptions();
  @Mixin private final JsonFile json = new JsonFile();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description =
          "Those that were there after it: how long ago, such as 12h, or 2026-01-31,"
              + " 2026-01-31T22:00, 2026-01-31T22:00:00Z.")
  private @Nullable String since;

  @Option(names = "--until", paramLabel = "TIME", description = "Those that were there before it.")
  private @Nullable String until;

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
    long from = time("--since", since, Long.MIN_VALUE);
    long to = time("--until", until, Long.MAX_VALUE);
    if (localDirs.given() && !nodes.none()) {
      throw terminal.wrongUse(
          "--dir and --conf-dir name this node, --jmx, --rm and --hosts others: choose one.");
    }
    Histories histories = new Histories();
    Map<String, String> silent = new TreeMap<>();
    String hint = "";
    String source;
    try (Progress progress = terminal.progress("Reading history")) {
      progress.say("of " + (nodes.none() ? "this node" : nodes.named()));
      if (nodes.none()) {
        List<Path> dirs = localDirs();
        HistoryFiles files = HistoryFiles.read(dirs);
        histories = files.histories();
        hint = files.unreadableText();
        source = dirs.toString();
      } else {
        source = nodes.named();
        ask(histories, silent);
      }
    }
    List<ApplicationHistory> found =
        histories.all().stream()
            .filter(one -> one.toMillis() >= from && one.fromMillis() <= to)
            .filter(one -> user == null || one.user().equals(user))
            .sorted(
                Comparator.comparingLong(ApplicationHistory::bytesSpilled)
                    .thenComparingLong(ApplicationHistory::bytes)
                    .reversed()
                    .thenComparing(ApplicationHistory::application))
            .toList();
    if (found.isEmpty()) {
      throw new CommandFailure(nothing(source, histories, silent) + hint);
    }
    List<ApplicationHistory> shown = withQueues(found.subList(0, Math.min(top, found.size())));
    HistoryReport report =
        new HistoryReport(
            source, shown, found.size() - shown.size(), silent, histories.skippedLines());
    new HistoryText(json.textOf(terminal)).print(report);
    json.write(report, terminal);
    return ExitCodes.FINE;
  }

  private long time(String option, @Nullable String text, long otherwise) {
    return text == null
        ? otherwise
        : terminal
            .parse(option, text, any -> TimeOption.parse(any, Clock.system(ZoneId.systemDefault())))
            .toEpochMilli();
  }

  private List<Path> localDirs() {
    return localDirs
        .dirs(terminal, true)
        .orElseThrow(
            () ->
                terminal.wrongUse(
                    "Whose history? Give --conf-dir DIR or --dir ROOT on a node, or --jmx, --rm or"
                        + " --hosts."));
  }

  private void ask(Histories histories, Map<String, String> silent) throws InterruptedException {
    FanOut round = nodes.round(terminal);
    NodesOptions.Nodes asked = nodes.nodes(terminal);
    silent.putAll(asked.unasked());
    for (FanOut.Result<JsonNode> answer : round.ask(asked.urls(), HistoryCommand::historyOf)) {
      String node = answer.url().authority();
      try {
        MAPPER
            .readTree(answer.orThrow().path("Applications").asText("[]"))
            .forEach(line -> histories.add(node, line));
      } catch (NodeFailure e) {
        if (nodes.single()) {
          throw e.ofCommand();
        }
        silent.put(node, e.brief());
      } catch (JsonProcessingException e) {
        silent.put(node, "of another version");
      }
    }
  }

  private static JsonNode historyOf(JmxClient node) throws NodeFailure {
    Optional<JsonNode> bean = node.bean("TempTierHistory");
    if (bean.isPresent()) {
      return bean.get();
    }
    node.needed("TempTierInfo");
    throw NodeFailure.of(
        "keeps no history",
        ("%s keeps no history: its TempTier is on stock behaviour, or of an earlier version."
                + " 'temptier status --jmx %s' says which.")
            .formatted(node.url(), node.url().authority()),
        null);
  }

  private List<ApplicationHistory> withQueues(List<ApplicationHistory> shown)
      throws InterruptedException {
    Map<String, String> queues =
        nodes.queues(terminal, shown.stream().map(ApplicationHistory::application).toList());
    return shown.stream()
        .map(one -> one.inQueue(queues.getOrDefault(one.application(), "")))
        .toList();
  }

  private String nothing(String source, Histories histories, Map<String, String> silent) {
    if (!histories.all().isEmpty()) {
      return "None of the %s applications in %s is of that time or user."
          .formatted(histories.all().size(), source);
    }
    return "No application is written down in "
        + source
        + (silent.isEmpty()
            ? ": a NodeManager with TempTier writes one down some seconds after it has ended."
            : ": %s nodes did not tell, such as %s."
                .formatted(silent.size(), silent.entrySet().iterator().next()));
  }
}
