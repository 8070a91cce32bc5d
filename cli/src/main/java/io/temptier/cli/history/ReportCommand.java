// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Table;
import io.temptier.cli.Terminal;
import io.temptier.cli.Words;
import io.temptier.cli.history.ApplicationHistory.Refusal;
import io.temptier.cli.report.Page;
import io.temptier.tier.BuildVersion;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Sizes;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code temptier report}. */
@Command(
    name = "report",
    description = {
      "Writes one HTML file with charts about the past of a node or a cluster.",
      "It tells how full the tiers were over time, what spilled down and why, what was demoted,"
          + " the applications that spilled most. It needs no network.",
      "Of this node from its local dirs, or of running nodes with --jmx, --rm or --hosts."
    },
    exitCodeList = {"0:written", "1:nothing is known of that time, or no node told", "2:wrong use"})
public final class ReportCommand implements Callable<Integer> {
  private static final int MOST_APPLICATIONS = 20;

  /** Less is what a tier that is meant to fill does. */
  private static final double MUCH_SPILLED = 0.5;

  @Mixin private final Terminal terminal = new Terminal();

  @Parameters(paramLabel = "FILE", description = "The file to write, such as night.html.")
  private Path file = Paths.get("");

  @Mixin private final HistoryOptions options = new HistoryOptions();

  @Override
  public Integer call() throws InterruptedException {
    HistoryData past = options.read(terminal);
    List<ApplicationHistory> all = options.chosen(past, any -> true);
    if (all.isEmpty() && past.fill.isEmpty()) {
      throw HistoryOptions.nothing(past);
    }
    Optional<ApplicationHistory> sum = all.stream().reduce(ApplicationHistory::plus);
    double share =
        sum.map(each -> (double) each.bytesSpilled() / Math.max(1, each.bytes())).orElse(0.0);
    String where = options.nodes.none() ? "TempTier on this node" : "TempTier at " + past.source;
    Page page = new Page(where);
    page.head(
        where,
        Page.Badge.of(Words.percent(share) + " spilled", share <= MUCH_SPILLED, Immutable.listOf()),
        sum.map(each -> HistoryText.summary(all.size(), each))
            .orElse("No application of that time is written down."));
    if (!past.silent.isEmpty()) {
      page.note(
          Words.plural(past.silent.size(), "node")
              + " did not tell of their past and are missing here, such as "
              + past.silent.entrySet().iterator().next()
              + ". Next: temptier status --jmx NODE.");
    }
    if (!past.unreadableText().isEmpty()) {
      page.note(
          "More was written down than this user may read. Next: run this as the NodeManager's user."
              + past.unreadableText());
    }
    fill(page, past);
    refused(page, sum.map(ApplicationHistory::refusals).orElse(Immutable.listOf()));
    applications(page, all);
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("command", terminal.typed());
    facts.put("source", past.source);
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("TempTier", BuildVersion.get());
    page.facts(facts).write(file, terminal);
    return ExitCodes.FINE;
  }

  private static void fill(Page page, HistoryData past) {
    String heading = "How full the tiers were";
    if (past.fill.isEmpty()) {
      page.section(
          heading, "Nothing was written down of that time: the NodeManagers were older.", "");
      return;
    }
    FillTimeline time = new FillTimeline(past.fill);
    page.section(
        heading,
        "Of their whole file systems, or of caps where they are smaller; other users of the disks"
            + " count. Gaps: no NodeManager wrote.",
        time.used().markup() + time.written().markup() + time.spilled().markup());
  }

  private static void refused(Page page, List<Refusal> refusals) {
    Table<Refusal> table =
        new Table<Refusal>()
            .add("tier", one -> one.medium)
            .add("reason", one -> HistoryText.inWords(one.reason))
            .add(">files", one -> one.files + "")
            .add(">bytes", one -> Sizes.format(one.bytes))
            .add("next step", one -> HistoryText.nextStep(one.reason));
    page.section(
        "Why a faster tier refused files",
        refusals.isEmpty() ? "None was refused." : "A file that two tiers refused counts for both.",
        refusals.isEmpty() ? "" : Page.table(table.cells(refusals)));
  }

  private static void applications(Page page, List<ApplicationHistory> all) {
    List<ApplicationHistory> top = all.subList(0, Math.min(MOST_APPLICATIONS, all.size()));
    Table<ApplicationHistory> table = HistoryText.columns(top, UnaryOperator.identity());
    page.section(
        "The applications that spilled most",
        (all.size() > top.size() ? top.size() + " of " + all.size() + ". " : "")
            + "Spilled: bytes that a faster tier refused.",
        top.isEmpty() ? "" : Page.table(table.cells(top)));
  }
}
