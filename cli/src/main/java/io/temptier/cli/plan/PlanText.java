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

/** The result for people. */
final class PlanText {
  /** What ratings of endurance are for. */
  private static final int RATED_YEARS = 5;

  private static final int MOST_NOTES = 10;

  private final PrintWriter out;
  private final PlanResult result;
  private final double dwpd;

  PlanText(PrintWriter out, PlanResult result, double dwpd) {
    this.out = out;
    this.result = result;
    this.dwpd = dwpd;
  }

  /** The answer, then what it comes from. */
  void print(String trace, List<String> notes) {
    Wrap.print(out, result.recommended(dwpd).map(this::answer).orElseGet(this::none), "", "   ");
    result.wearsOut(dwpd).ifPresent(size -> Wrap.print(out, wearsOut(size), "   ", "   "));
    out.println();
    new Table<FastSize>()
        .add("", size -> result.recommended(dwpd).filter(size::equals).map(b -> "->").orElse(""))
        .bytes("fast disk", FastSize::fastBytes)
        .add(">hit share", size -> percent(size.hitShare()))
        .bytes("spilled", FastSize::spilledBytes)
        .bytes("demoted", FastSize::demotedBytes)
        .bytes("a day", size -> (long) result.bytesPerDay(size))
        .add(">DWPD", size -> number("%.2f", result.driveWritesPerDay(size)))
        .print(out, "  ", result.sizes());
    out.println();
    wrap(
        "Hit share: of all temporary bytes written, those written to the fast disk. A day, DWPD:"
            + " what it takes in a day, in bytes and in whole drives.");
    Instant from = Instant.ofEpochMilli(result.fromMillis()).truncatedTo(ChronoUnit.MINUTES);
    wrap(
        String.format(
            Locale.ROOT,
            "%,d jobs of %,d tasks on %s, %.2f days from %s on. Trace: %s",
            result.jobs(),
            result.tasks(),
            Plural.of(result.nodes(), "node"),
            result.days(),
            from,
            trace));
    wrap("Temporary data on a node at a time: at most " + Sizes.format(result.mostBytes()) + ".");
    notes(notes).forEach(out::println);
    out.flush();
  }

  private void wrap(String text) {
    Wrap.print(out, text, "", "");
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
        "-> %s: the smallest of these that spills no more than 1 %% of the bytes, and lasts: %s"
            + " DWPD of %s.",
        Sizes.format(size.fastBytes()),
        number("%.2f", result.driveWritesPerDay(size)),
        plain(dwpd));
  }

  private String none() {
    return result.wearsOut(dwpd).isPresent()
        ? "None of these sizes has room enough and lasts: try larger ones, or drives rated for more"
            + " with --dwpd."
        : "None of these sizes spills as little as 1 % of the bytes: try larger ones.";
  }

  /** Why the smallest size that has room enough is none to buy. */
  private String wearsOut(FastSize size) {
    double years = RATED_YEARS * dwpd / result.driveWritesPerDay(size);
    return String.format(
        "%s has room enough and wears out in %s: written over %s times a day, it is rated for %s"
            + " over %d years (--dwpd).",
        Sizes.format(size.fastBytes()),
        years < 1 ? number("%.0f weeks", Math.max(1, years * 52)) : number("%.1f years", years),
        number("%.1f", result.driveWritesPerDay(size)),
        plain(dwpd),
        RATED_YEARS);
  }

  private static String percent(double share) {
    return number("%.1f %%", 100 * share);
  }

  private static String number(String format, double number) {
    return String.format(Locale.ROOT, format, number);
  }

  private static String plain(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }
}
