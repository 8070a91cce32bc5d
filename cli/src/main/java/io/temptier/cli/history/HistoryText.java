// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import io.temptier.cli.Table;
import io.temptier.cli.Words;
import io.temptier.cli.history.ApplicationHistory.Refusal;
import io.temptier.cli.status.TierSum;
import io.temptier.tier.policy.Reason;
import io.temptier.tier.text.Sizes;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** History for people. */
public final class HistoryText {
  private static final int MOST_SILENT = 5;

  private final PrintWriter out;

  public HistoryText(PrintWriter out) {
    this.out = out;
  }

  public void print(ApplicationHistory history) {
    Words.wrap(out, summary(1, history));
    printRefusals(history);
    out.println();
    new Table<String>()
        .add("TIER", medium -> medium)
        .add(">FILES", medium -> history.tier(medium).path("files").asText())
        .bytes("WRITTEN", medium -> history.tier(medium).path("bytes").asLong())
        .add(">SPILLED FILES", medium -> history.tier(medium).path("filesSpilled").asText())
        .bytes("SPILLED", medium -> history.tier(medium).path("bytesSpilled").asLong())
        .print(out, "", history.media());
    Words.wrap(
        out,
        "User "
            + (history.user().isEmpty() ? "unknown" : history.user())
            + (history.running() ? "; still running" : ""));
  }

  void print(HistoryData past, List<ApplicationHistory> shown, int left, int width) {
    ApplicationHistory sum = shown.stream().reduce(ApplicationHistory::plus).orElse(shown.get(0));
    Words.wrap(out, summary(shown.size(), sum));
    printRefusals(sum);
    out.println();
    columns(shown).print(out, "", shown, width);
    printLeftOut(past, left);
  }

  private static String summary(int applications, ApplicationHistory sum) {
    return String.format(
        "%s wrote %s of temporary data from %s to %s UTC. %s (%s) of it a faster tier refused, and"
            + " %s was moved down later. %s of %s failed.",
        Words.plural(applications, "application"),
        Sizes.format(sum.bytes()),
        minute(sum.number(ApplicationHistory.FROM)),
        minute(sum.number(ApplicationHistory.TO)),
        Sizes.format(sum.bytesSpilled()),
        Words.percent((double) sum.bytesSpilled() / Math.max(1, sum.bytes())),
        Sizes.format(sum.number("bytesDemoted")),
        sum.number("containersFailed"),
        Words.plural(sum.number("containers"), "container"));
  }

  private static Table<ApplicationHistory> columns(List<ApplicationHistory> all) {
    Table<ApplicationHistory> columns = new Table<>();
    columns.add("APPLICATION", ApplicationHistory::application);
    columns.add("USER", ApplicationHistory::user);
    columns.wide("FROM, UTC", one -> minute(one.number(ApplicationHistory.FROM)));
    columns.add(">TOOK", one -> one.running() ? "running" : took(one));
    NavigableSet<String> media = new TreeSet<>(TierSum.FASTEST_FIRST);
    all.forEach(one -> media.addAll(one.media()));
    for (String medium : media) {
      columns.bytes(medium, one -> one.tier(medium).path("bytes").asLong(-1));
    }
    return columns
        .bytes("SPILLED", ApplicationHistory::bytesSpilled)
        .wideBytes("DEMOTED", one -> one.number("bytesDemoted"))
        .wide(">FAILED", one -> one.number("containersFailed") + "")
        .wide("MOST REFUSED BY", HistoryText::mostly);
  }

  private void printLeftOut(HistoryData past, int left) {
    if (left > 0) {
      Words.wrap(out, left + " more spilled less; --top shows more.");
    }
    if (!past.silent.isEmpty()) {
      List<String> names = new ArrayList<>();
      past.silent.forEach((node, why) -> names.add(node + " (" + why + ")"));
      if (names.size() > MOST_SILENT) {
        names.subList(MOST_SILENT, names.size()).clear();
        names.add("...");
      }
      String silent = Words.plural(past.silent.size(), "node") + " did not tell: ";
      Words.wrap(out, silent + String.join(", ", names));
    }
    if (past.linesSkipped > 0) {
      Words.wrap(
          out,
          Words.plural(past.linesSkipped, "line")
              + " left out: damaged, or written by a later version of TempTier.");
    }
  }

  private void printRefusals(ApplicationHistory history) {
    for (Refusal one : history.refusals()) {
      String files = Words.plural(one.files, "file");
      String size = Sizes.format(one.bytes);
      String text = String.format("%s: %s in %s: %s", one.medium, size, files, inWords(one.reason));
      Words.wrap(out, text, "  ", "  ");
    }
  }

  /** The tier and reason that refused most bytes. */
  private static String mostly(ApplicationHistory one) {
    return one.refusals().stream()
        .max(Comparator.comparingLong(refused -> refused.bytes))
        .map(most -> most.medium + " " + most.reason)
        .orElse("");
  }

  /** A reason of another version has no words here. */
  private static String inWords(String reason) {
    for (Reason known : Reason.values()) {
      if (known.name().equals(reason)) {
        return reason + ", " + known.text();
      }
    }
    return reason;
  }

  /** Formats a time, such as 2026-01-31 22:05. */
  private static String minute(long millis) {
    return Instant.ofEpochMilli(millis).toString().substring(0, 16).replace('T', ' ');
  }

  private static String took(ApplicationHistory one) {
    long millis = one.number(ApplicationHistory.TO) - one.number(ApplicationHistory.FROM);
    Duration took = Duration.ofMillis(Math.max(0, millis));
    return took.toHours() > 0
        ? took.toHours() + "h " + (took.toMinutes() % 60) + "m"
        : took.toMinutes() + "m " + (took.getSeconds() % 60) + "s";
  }
}
