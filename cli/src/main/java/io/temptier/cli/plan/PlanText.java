// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.cli.Plural;
import io.temptier.cli.Table;
import io.temptier.cli.Wrap;
import io.temptier.tier.text.Quoted;
import io.temptier.tier.text.Sizes;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The replay for people. */
final class PlanText {
  /** What ratings of endurance are for. */
  private static final int RATED_YEARS = 5;

  private static final int MOST_NOTES = 10;

  private final PrintWriter out;
  private final Replay replay;
  private final double dwpd;

  PlanText(PrintWriter out, Replay replay, double dwpd) {
    this.out = out;
    this.replay = replay;
    this.dwpd = dwpd;
  }

  /** The answer, then what it comes from. */
  void print(String trace, List<String> notes) {
    Wrap.print(out, replay.recommended(dwpd).map(this::answer).orElseGet(this::none), "", "   ");
    replay.wearsOut(dwpd).ifPresent(size -> Wrap.print(out, wearsOut(size), "   ", "   "));
    out.println();
    new Table<FastSize>()
        .add("", size -> replay.recommended(dwpd).filter(size::equals).map(b -> "->").orElse(""))
        .bytes("fast disk", FastSize::fastBytes)
        .add(">hit share", size -> number("%.1f %%", 100 * size.hitShare()))
        .bytes("spilled", FastSize::spilledBytes)
        .bytes("demoted", FastSize::demotedBytes)
        .bytes("a day", size -> (long) size.bytesPerDay(replay.days()))
        .add(">DWPD", size -> number("%.2f", size.driveWritesPerDay(replay.days())))
        .print(out, "  ", replay.sizes());
    out.println();
    Instant from = Instant.ofEpochMilli(replay.fromMillis()).truncatedTo(ChronoUnit.MINUTES);
    String text =
        String.format(
            Locale.ROOT,
            "Hit share: of all temporary bytes written, those written to the fast disk. A day,"
                + " DWPD: what it takes in a day, in bytes and in whole drives.%n"
                + "%,d jobs of %,d tasks on %s, %.2f days from %s on. Trace: %s%n"
                + "Temporary data on a node at a time: at most %s.",
            replay.jobs(),
            replay.tasks(),
            Plural.of(replay.nodes(), "node"),
            replay.days(),
            from,
            trace,
            Sizes.format(replay.mostBytes()));
    Wrap.print(out, text, "", "");
    notes(notes).forEach(out::println);
    out.flush();
  }

  /** What of the trace does not count, or not as it is; no line when there is nothing. */
  static List<String> notes(List<String> notes) {
    List<String> lines = new ArrayList<>();
    if (!notes.isEmpty()) {
      lines.add("Of the trace " + notes.size() + " did not count as it is:");
      notes.stream().limit(MOST_NOTES).map(note -> "  " + Quoted.oneLine(note)).forEach(lines::add);
    }
    if (notes.size() > MOST_NOTES) {
      lines.add("  and " + (notes.size() - MOST_NOTES) + " more, which --json names");
    }
    return lines;
  }

  private String answer(FastSize size) {
    return String.format(
        Locale.ROOT,
        "-> %s: the smallest of these that spills no more than 1 %% of the bytes, and lasts: %.2f"
            + " DWPD of %s.",
        Sizes.format(size.fastBytes()),
        size.driveWritesPerDay(replay.days()),
        plain(dwpd));
  }

  private String none() {
    return replay.wearsOut(dwpd).isPresent()
        ? "None of these sizes has room enough and lasts: try larger ones, or drives rated for more"
            + " with --dwpd."
        : "None of these sizes spills as little as 1 % of the bytes: try larger ones.";
  }

  /** Why the smallest size that has room enough is none to buy. */
  private String wearsOut(FastSize size) {
    double years = RATED_YEARS * dwpd / size.driveWritesPerDay(replay.days());
    return String.format(
        "%s has room enough and wears out in %s: written over %s times a day, it is rated for %s"
            + " over %d years (--dwpd).",
        Sizes.format(size.fastBytes()),
        years < 1 ? number("%.0f weeks", Math.max(1, years * 52)) : number("%.1f years", years),
        number("%.1f", size.driveWritesPerDay(replay.days())),
        plain(dwpd),
        RATED_YEARS);
  }

  private static String number(String format, double number) {
    return String.format(Locale.ROOT, format, number);
  }

  private static String plain(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }
}
