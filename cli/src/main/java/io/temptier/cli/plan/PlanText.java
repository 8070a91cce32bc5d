// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.cli.Columns;
import io.temptier.cli.plan.SimulationResult.SizeResult;
import io.temptier.tier.Quoted;
import io.temptier.tier.Sizes;
import io.temptier.tier.lang.Strings;
import java.io.PrintWriter;
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

  static final String EXPLANATION =
      "Hit share: of all temporary bytes written, those written to the fast disk. DWPD: how often"
          + " a day it is written over; compare with its rating.";

  private PlanText() {}

  static void print(PrintWriter out, ClusterModel model, SimulationResult result, String trace) {
    out.println(
        String.format(
            Locale.ROOT,
            "%,d jobs of %,d tasks in %.2f days%s on %,d nodes with %d containers each. Trace: %s",
            result.jobs(),
            result.tasks(),
            result.days(),
            dates(result),
            model.nodes(),
            model.containers(),
            trace));
    SimulationResult.NodeBytes bytes = result.nodeBytes();
    out.println(
        String.format(
            "Temporary data of a node: median %s, 95th percentile %s, 99th %s, at most %s",
            Sizes.format(bytes.p50()),
            Sizes.format(bytes.p95()),
            Sizes.format(bytes.p99()),
            Sizes.format(bytes.max())));
    if (!result.saysTooLittle()) {
      out.println(
          String.format(
              "With the reserve a disk of %s holds the 95th percentile.",
              Sizes.format(withReserve(model, bytes.p95()))));
    }
    out.println();
    columns(result, "->", true).table(result.sizes()).print(out, "  ");
    out.println();
    out.println(
        result
            .recommended()
            .map(
                size ->
                    "-> "
                        + Sizes.format(size.fastBytes())
                        + ": the smallest of these that spills no more than 1 % of the bytes")
            .orElse(noSize(result)));
    result.recommended().map(size -> life(result, size)).ifPresent(out::println);
    result
        .of(model.presentSize())
        .map(present -> gain(result, present))
        .ifPresent(text -> out.println("   " + text));
    out.println(EXPLANATION);
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

  /** The size of a disk that has so many bytes above its reserve. */
  private static long withReserve(ClusterModel model, long bytes) {
    long size = bytes;
    // A reserve is a share or bytes: a few steps come as near as matters.
    for (int step = 0; step < 40; step++) {
      size = bytes + model.reserve().bytesOf(size);
    }
    return size;
  }

  /** How long a drive of that size lasts. */
  private static String life(SimulationResult result, SizeResult size) {
    return String.format(
        Locale.ROOT,
        "   A drive of that size rated for 1 DWPD over %d years lasts %.1f years of such days%s.",
        RATED_YEARS,
        RATED_YEARS / size.driveWritesPerDay(),
        result.days() < 1 ? ", of which the trace has less than one" : "");
  }

  /** What a larger disk than the present one would gain. */
  static String gain(SimulationResult result, SizeResult present) {
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

  static String noSize(SimulationResult result) {
    return result.saysTooLittle()
        ? "No size is recommended: in 95 of 100 minutes a node had no temporary data. Take a longer"
            + " trace, or as many --nodes as it comes from"
        : "None of these sizes spills as little as 1 % of the bytes: try larger ones";
  }

  /** What is told of each size; {@code mark} marks the recommended one. */
  static Columns<SizeResult> columns(SimulationResult result, String mark, boolean withBar) {
    Columns<SizeResult> columns =
        new Columns<SizeResult>()
            .add("", size -> result.recommends(size) ? mark : "")
            .add(">fast disk", size -> Sizes.format(size.fastBytes()))
            .add(">hit share", size -> percent(size.hitShare()));
    if (withBar) {
      columns.add(
          "0 %" + Strings.repeat(" ", BAR - 8) + "100 %",
          size -> Strings.repeat("#", (int) Math.round(BAR * size.hitShare())));
    }
    return columns
        .add(">spilled", size -> Sizes.format(size.spilledBytes()))
        .add(">demoted", size -> Sizes.format(size.demotedBytes()))
        .add(">jobs wholly on it", size -> percent(size.whollyFastShare()))
        .add(">written a day", size -> Sizes.format((long) size.bytesPerDay()))
        .add(">DWPD", size -> String.format(Locale.ROOT, "%.2f", size.driveWritesPerDay()));
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
