// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import io.temptier.cli.MediumOrder;
import io.temptier.cli.Table;
import io.temptier.cli.Wrap;
import io.temptier.tier.Reason;
import io.temptier.tier.Sizes;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** History for people. */
public final class HistoryText {
  private static final int WIDTH = 96;
  private static final int MOST_SILENT = 5;

  private final PrintWriter out;

  /** A printer. */
  public HistoryText(PrintWriter out) {
    this.out = out;
  }

  /** Prints what became of one application. */
  public void print(ApplicationHistory of) {
    out.println();
    Table table = new Table("TIER", ">FILES", ">BYTES", ">SPILLED FILES", ">SPILLED BYTES");
    of.tiers()
        .forEach(
            (medium, sum) ->
                table.row(
                    medium,
                    sum.files() + "",
                    Sizes.format(sum.bytes()),
                    sum.filesSpilled() + "",
                    Sizes.format(sum.bytesSpilled())));
    table.lines("").forEach(out::println);
    of.refused()
        .forEach(
            (medium, whys) ->
                whys.forEach(
                    (why, sum) ->
                        out.println(
                            sum.files()
                                + " refused by "
                                + medium
                                + " ("
                                + Sizes.format(sum.bytes())
                                + "): "
                                + inWords(why))));
    out.println(
        "user "
            + (of.user().isEmpty() ? "unknown" : of.user())
            + ", "
            + time(of.fromMillis())
            + " to "
            + time(of.toMillis())
            + (of.running() ? " (running)" : "")
            + ", "
            + of.containers()
            + " containers ended, "
            + of.containersFailed()
            + " of them failed; "
            + of.filesDemoted()
            + " map outputs demoted ("
            + Sizes.format(of.bytesDemoted())
            + ")");
  }

  /** Prints a line for each application. */
  void print(HistoryReport report) {
    List<String> heads = heads(report.applications());
    Table table =
        new Table(heads.stream().map(head -> head.toUpperCase(Locale.ROOT)).toArray(String[]::new));
    rows(report.applications()).forEach(row -> table.row(row.toArray(String[]::new)));
    table.lines("").forEach(out::println);
    printSums(report);
  }

  /** The headings of a table of applications; those that begin with {@code >} are of numbers. */
  static List<String> heads(List<ApplicationHistory> all) {
    List<String> heads = new ArrayList<>(List.of("application", "user"));
    heads.addAll(queued(all) ? List.of("queue", "from", ">took") : List.of("from", ">took"));
    media(all).forEach(medium -> heads.add(">" + medium));
    heads.addAll(List.of(">spilled", ">demoted", ">failed", "most refused by"));
    return heads;
  }

  /** Its rows. */
  static List<List<String>> rows(List<ApplicationHistory> all) {
    List<List<String>> rows = new ArrayList<>();
    for (ApplicationHistory one : all) {
      List<String> row = new ArrayList<>(List.of(one.application(), one.user()));
      if (queued(all)) {
        row.add(one.queue());
      }
      row.add(time(one.fromMillis()));
      row.add(one.running() ? "running" : took(one));
      for (String medium : media(all)) {
        ApplicationHistory.Sum sum = one.tiers().get(medium);
        row.add(sum == null ? "-" : Sizes.format(sum.bytes()));
      }
      row.add(Sizes.format(one.bytesSpilled()));
      row.add(Sizes.format(one.bytesDemoted()));
      row.add(one.containersFailed() + "");
      row.add(mostly(one));
      rows.add(row);
    }
    return rows;
  }

  private static boolean queued(List<ApplicationHistory> all) {
    return all.stream().anyMatch(one -> !one.queue().isEmpty());
  }

  private static SortedSet<String> media(List<ApplicationHistory> all) {
    return all.stream()
        .flatMap(one -> one.tiers().keySet().stream())
        .collect(Collectors.toCollection(() -> new TreeSet<>(MediumOrder.FASTEST_FIRST)));
  }

  private void printSums(HistoryReport report) {
    List<ApplicationHistory> all = report.applications();
    long bytes = all.stream().mapToLong(ApplicationHistory::bytes).sum();
    long spilled = all.stream().mapToLong(ApplicationHistory::bytesSpilled).sum();
    out.println();
    wrap(
        counted(all.size(), "application")
            + " wrote "
            + Sizes.format(bytes)
            + " of temporary data; "
            + Sizes.format(spilled)
            + (bytes > 0 ? " (" + Math.round(100.0 * spilled / bytes) + "%)" : "")
            + " of it a faster tier refused.");
    all.stream()
        .reduce(ApplicationHistory::plus)
        .ifPresent(
            sum ->
                sum.refused()
                    .forEach(
                        (medium, whys) ->
                            whys.forEach(
                                (why, of) ->
                                    wrap(
                                        "  "
                                            + medium
                                            + ": "
                                            + Sizes.format(of.bytes())
                                            + " in "
                                            + of.files()
                                            + " files: "
                                            + inWords(why)))));
    if (report.left() > 0) {
      wrap(report.left() + " more spilled less; --top shows more.");
    }
    if (!report.silent().isEmpty()) {
      wrap(
          counted(report.silent().size(), "node")
              + " did not tell: "
              + report.silent().entrySet().stream()
                  .limit(MOST_SILENT)
                  .map(node -> node.getKey() + " (" + node.getValue() + ")")
                  .collect(Collectors.joining(", "))
              + (report.silent().size() > MOST_SILENT ? ", ..." : ""));
    }
    if (report.linesSkipped() > 0) {
      wrap(
          report.linesSkipped()
              + " lines are left out: they are damaged, or a later version of TempTier wrote"
              + " them.");
    }
  }

  /** The tier and reason that refused most bytes. */
  private static String mostly(ApplicationHistory one) {
    String most = "";
    long bytes = 0;
    for (Map.Entry<String, Map<String, ApplicationHistory.Sum>> tier : one.refused().entrySet()) {
      for (Map.Entry<String, ApplicationHistory.Sum> why : tier.getValue().entrySet()) {
        if (why.getValue().bytes() >= bytes) {
          bytes = why.getValue().bytes();
          most = tier.getKey() + " " + why.getKey();
        }
      }
    }
    return most;
  }

  /** A reason of another version has no words here. */
  static String inWords(String reason) {
    return Arrays.stream(Reason.values())
        .filter(known -> known.name().equals(reason))
        .map(known -> reason + ", " + known.text())
        .findFirst()
        .orElse(reason);
  }

  /** So many of something, such as 1 node or 1,024 nodes. */
  static String counted(int count, String what) {
    return String.format(Locale.ROOT, "%,d %s%s", count, what, count == 1 ? "" : "s");
  }

  static String time(long millis) {
    return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String took(ApplicationHistory one) {
    Duration took = Duration.ofMillis(Math.max(0, one.toMillis() - one.fromMillis()));
    return took.toHours() > 0
        ? took.toHours() + "h " + took.toMinutesPart() + "m"
        : took.toMinutes() + "m " + took.toSecondsPart() + "s";
  }

  private void wrap(String text) {
    String indent = text.startsWith("  ") ? "  " : "";
    Wrap.lines(text.trim(), WIDTH).forEach(line -> out.println(indent + line));
  }
}
