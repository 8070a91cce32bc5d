// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import io.temptier.cli.MediumOrder;
import io.temptier.cli.Plural;
import io.temptier.cli.Table;
import io.temptier.cli.Wrap;
import io.temptier.tier.policy.Reason;
import io.temptier.tier.text.Sizes;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** History for people. */
public final class HistoryText {
  private static final int MOST_SILENT = 5;

  private final PrintWriter out;

  public HistoryText(PrintWriter out) {
    this.out = out;
  }

  /** Prints what became of one application. */
  public void print(ApplicationHistory of) {
    out.println();
    new Table<ApplicationHistory.Sum>()
        .add("TIER", ApplicationHistory.Sum::medium)
        .add(">FILES", tier -> tier.files() + "")
        .bytes("WRITTEN", ApplicationHistory.Sum::bytes)
        .add(">SPILLED FILES", tier -> tier.filesSpilled() + "")
        .bytes("SPILLED", ApplicationHistory.Sum::bytesSpilled)
        .print(out, "", of.tiers());
    for (ApplicationHistory.Sum one : of.refusals()) {
      String size = Sizes.format(one.bytes());
      String why = inWords(one.reason());
      wrap(String.format("%d refused by %s (%s): %s", one.files(), one.medium(), size, why));
    }
    wrap(
        String.format(
            "User %s, %s to %s%s; %s ended, %d of them failed; %s demoted (%s)",
            of.user().isEmpty() ? "unknown" : of.user(),
            time(of.fromMillis()),
            time(of.toMillis()),
            of.running() ? " (running)" : "",
            Plural.of(of.number("containers"), "container"),
            of.number("containersFailed"),
            Plural.of(of.number("filesDemoted"), "file"),
            Sizes.format(of.number("bytesDemoted"))));
  }

  /** Prints a line for each application. */
  void print(HistoryData past, List<ApplicationHistory> shown, int left, int width) {
    printSums(shown);
    out.println();
    columns(shown, head -> head.toUpperCase(Locale.ROOT))
        .lines("", shown, width)
        .forEach(out::println);
    printLeftOut(past, left);
  }

  /** What is told of each application; {@code heading} makes of a name what the table has. */
  static Table<ApplicationHistory> columns(
      List<ApplicationHistory> all, UnaryOperator<String> heading) {
    Table<ApplicationHistory> columns = new Table<>();
    columns.add(heading.apply("application"), ApplicationHistory::application);
    columns.add(heading.apply("user"), ApplicationHistory::user);
    columns.wide(heading.apply("from"), one -> time(one.fromMillis()));
    columns.add(heading.apply(">took"), one -> one.running() ? "running" : took(one));
    for (String medium : media(all)) {
      columns.bytes(
          medium,
          one ->
              one.tiers().stream()
                  .filter(tier -> tier.medium().equals(medium))
                  .mapToLong(ApplicationHistory.Sum::bytes)
                  .findFirst()
                  .orElse(-1));
    }
    return columns
        .bytes(heading.apply("spilled"), ApplicationHistory::bytesSpilled)
        .wideBytes(heading.apply("demoted"), one -> one.number("bytesDemoted"))
        .wide(heading.apply(">failed"), one -> one.number("containersFailed") + "")
        .wide(heading.apply("most refused by"), HistoryText::mostly);
  }

  private static SortedSet<String> media(List<ApplicationHistory> all) {
    return all.stream()
        .flatMap(one -> one.tiers().stream())
        .map(ApplicationHistory.Sum::medium)
        .collect(Collectors.toCollection(() -> new TreeSet<>(MediumOrder.FASTEST_FIRST)));
  }

  private void printSums(List<ApplicationHistory> all) {
    long bytes = all.stream().mapToLong(ApplicationHistory::bytes).sum();
    long spilled = all.stream().mapToLong(ApplicationHistory::bytesSpilled).sum();
    wrap(
        String.format(
            "%s wrote %s of temporary data; %s%s of it a faster tier refused.",
            Plural.of(all.size(), "application"),
            Sizes.format(bytes),
            Sizes.format(spilled),
            bytes > 0 ? " (" + Math.round(100.0 * spilled / bytes) + "%)" : ""));
    all.stream().reduce(ApplicationHistory::plus).ifPresent(this::printRefused);
  }

  private void printLeftOut(HistoryData past, int left) {
    if (left > 0) {
      wrap(left + " more spilled less; --top shows more.");
    }
    if (!past.silent().isEmpty()) {
      String some =
          past.silent().entrySet().stream()
              .limit(MOST_SILENT)
              .map(node -> node.getKey() + " (" + node.getValue() + ")")
              .collect(Collectors.joining(", "));
      String more = past.silent().size() > MOST_SILENT ? ", ..." : "";
      wrap(Plural.of(past.silent().size(), "node") + " did not tell: " + some + more);
    }
    if (past.linesSkipped() > 0) {
      wrap(
          Plural.of(past.linesSkipped(), "line")
              + " left out: damaged, or written by a later version of TempTier.");
    }
  }

  private void printRefused(ApplicationHistory sum) {
    for (ApplicationHistory.Sum one : sum.refusals()) {
      String size = Sizes.format(one.bytes());
      String why = inWords(one.reason());
      Wrap.print(
          out,
          String.format(
              "%s: %s in %s: %s", one.medium(), size, Plural.of(one.files(), "file"), why),
          "  ",
          "  ");
    }
  }

  /** The tier and reason that refused most bytes. */
  private static String mostly(ApplicationHistory one) {
    return one.refusals().stream()
        .max(Comparator.comparingLong(ApplicationHistory.Sum::bytes))
        .map(most -> most.medium() + " " + most.reason())
        .orElse("");
  }

  /** A reason of another version has no words here. */
  static String inWords(String reason) {
    return Arrays.stream(Reason.values())
        .filter(known -> known.name().equals(reason))
        .map(known -> reason + ", " + known.text())
        .findFirst()
        .orElse(reason);
  }

  static String time(long millis) {
    return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String took(ApplicationHistory one) {
    Duration took = Duration.ofMillis(Math.max(0, one.toMillis() - one.fromMillis()));
    return took.toHours() > 0
        ? took.toHours() + "h " + (took.toMinutes() % 60) + "m"
        : took.toMinutes() + "m " + (took.getSeconds() % 60) + "s";
  }

  private void wrap(String text) {
    Wrap.print(out, text, "", "");
  }
}
