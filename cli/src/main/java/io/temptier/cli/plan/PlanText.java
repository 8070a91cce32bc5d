// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.cli.Table;
import io.temptier.cli.Wrap;
import io.temptier.cli.plan.SimulationResult.SizeResult;
import io.temptier.tier.Quoted;
import io.temptier.tier.Sizes;
import io.temptier.tier.lang.Strings;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The result for people. */
final class PlanText {
  private static final int BAR = 40;

  /** What ratings of endurance are for. */
  private static final int RATED_YEARS = 5;

  private static final int MOST_NOTES = 10;
  private static final Instant YEAR_2000 = Instant.parse("2000-01-01T00:00:00Z");

  private static final String EXPLANATION =
      "Hit share: of all temporary bytes written, those written to the fast disk. DWPD: how often"
          + " a day it is written over.";

  private PlanText() {}

  /** The answer, then what it comes from. */
  static void print(
      PrintWriter out, ClusterModel model, SimulationResult result, String trace, int width) {
    wrap(
        out,
        result
            .recommended()
            .map(
                size ->
                    "-> "
                        + Sizes.format(size.fastBytes())
                        + ": the smallest of these that spills no more than 1 % of the bytes"
                        + life(result, size))
            .orElse(noSize(result) + "."));
    result.wearsOut().ifPresent(size -> remark(out, wearsOut(result, size)));
    result.of(model.presentSize()).ifPresent(size -> remark(out, gain(result, size)));
    out.println();
    columns(result).lines("  ", result.sizes(), width).forEach(out::println);
    out.println();
    wrap(out, EXPLANATION);
    wrap(
        out,
        String.format(
            Locale.ROOT,
            "%,d jobs of %,d tasks in %.2f days%s on %s with %d containers each. Trace: %s",
            result.jobs(),
            result.tasks(),
            result.days(),
            dates(result),
            model.nodes() == 1 ? "1 node" : String.format(Locale.ROOT, "%,d nodes", model.nodes()),
            model.containers(),
            trace));
    SimulationResult.NodeBytes bytes = result.nodeBytes();
    wrap(
        out,
        String.format(
            "Temporary data that lay on a node, over all minutes, idle ones too: median %s, 95th"
                + " percentile %s, 99th %s, at most %s.",
            Sizes.format(bytes.p50()),
            Sizes.format(bytes.p95()),
            Sizes.format(bytes.p99()),
            Sizes.format(bytes.max())));
  }

  private static void remark(PrintWriter out, String text) {
    Wrap.print(out, text, "   ", "   ");
  }

  private static void wrap(PrintWriter out, String text) {
    Wrap.print(out, text, "", text.startsWith("-> ") ? "   " : "");
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

  /** When the trace is of, where it tells real times. */
  private static String dates(SimulationResult result) {
    Instant from = Instant.ofEpochMilli(result.fromMillis());
    return from.isBefore(YEAR_2000)
        ? ""
        : " from "
            + from.truncatedTo(ChronoUnit.MINUTES)
            + " to "
            + from.plusMillis((long) (result.days() * Duration.ofDays(1).toMillis()))
                .truncatedTo(ChronoUnit.MINUTES);
  }

  /** How long the drive of the recommended size lasts. */
  private static String life(SimulationResult result, SizeResult size) {
    return String.format(
        Locale.ROOT,
        ", and lasts: %.2f DWPD of %s.",
        size.driveWritesPerDay(),
        plain(result.ratedWritesPerDay()));
  }

  /** Why the smallest size that has room enough is none to buy. */
  private static String wearsOut(SimulationResult result, SizeResult size) {
    double years = RATED_YEARS * result.ratedWritesPerDay() / size.driveWritesPerDay();
    return String.format(
        Locale.ROOT,
        "%s has room enough and wears out in %s: written over %.1f times a day, it is rated for %s"
            + " over %d years (--dwpd).",
        Sizes.format(size.fastBytes()),
        years < 1
            ? String.format(Locale.ROOT, "%.0f weeks", Math.max(1, years * 52))
            : String.format(Locale.ROOT, "%.1f years", years),
        size.driveWritesPerDay(),
        plain(result.ratedWritesPerDay()),
        RATED_YEARS);
  }

  private static String plain(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }

  /** What a larger disk than the present one would gain. */
  private static String gain(SimulationResult result, SizeResult present) {
    SizeResult best = result.recommended().orElse(result.sizes().get(result.sizes().size() - 1));
    String today =
        String.format(
            "The present %s spills %s (%s)",
            Sizes.format(present.fastBytes()),
            Sizes.format(present.spilledBytes()),
            percent(1 - present.hitShare()));
    if (best.fastBytes() <= present.fastBytes()) {
      return today + ": more of it would gain next to nothing.";
    }
    return today
        + String.format(
            ". %s would spill %s (%s), and %s of the jobs in place of %s would be wholly on it.",
            Sizes.format(best.fastBytes()),
            Sizes.format(best.spilledBytes()),
            percent(1 - best.hitShare()),
            percent(best.whollyFastShare()),
            percent(present.whollyFastShare()));
  }

  private static String noSize(SimulationResult result) {
    return result.saysTooLittle()
        ? "No size is recommended: in 95 of 100 minutes a node had no temporary data. Take a longer"
            + " trace, or as many --nodes as it comes from"
        : result.wearsOut().isPresent()
            ? "None of these sizes has room enough and lasts: try larger ones, or drives rated for"
                + " more with --dwpd"
            : "None of these sizes spills as little as 1 % of the bytes: try larger ones";
  }

  /** What is told of each size; an arrow marks the recommended one. */
  private static Table<SizeResult> columns(SimulationResult result) {
    return new Table<SizeResult>()
        .add("", size -> result.recommends(size) ? "->" : "")
        .bytes("fast disk", SizeResult::fastBytes)
        .add(">hit share", size -> percent(size.hitShare()))
        .wide(
            "0 %" + Strings.repeat(" ", BAR - 8) + "100 %",
            size -> Strings.repeat("#", (int) Math.round(BAR * size.hitShare())))
        .bytes("spilled", SizeResult::spilledBytes)
        .wideBytes("demoted", SizeResult::demotedBytes)
        .wide(">jobs wholly on it", size -> percent(size.whollyFastShare()))
        .bytes("written a day", size -> (long) size.bytesPerDay())
        .add(">DWPD", size -> String.format(Locale.ROOT, "%.2f", size.driveWritesPerDay()));
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
