// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.bench.report.Figures;
import io.temptier.bench.report.GoalText;
import io.temptier.bench.testbed.DiskReads;
import io.temptier.cli.Table;
import io.temptier.tier.Sizes;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;

/** What the command prints. */
final class ShuffleText {
  private ShuffleText() {}

  /** Says beforehand what is going to be done. */
  static void plan(
      PrintWriter out, ShufflePlan plan, Map<String, String> handlers, Map<String, String> disks) {
    out.println("Shuffle handlers side by side, each in a JVM of its own:");
    handlers.forEach((name, handler) -> out.println("  " + name + ": " + handler));
    out.printf(
        Locale.ROOT,
        "%d fetchers on the fast disk, %d on the slow one, %d event loops; segments of %s,"
            + " %s of map outputs on each disk%n",
        plan.fetchers(),
        plan.slowFetchers(),
        plan.eventLoops(),
        Sizes.format(ShufflePlan.SEGMENT_BYTES),
        Sizes.format(plan.outputBytes()));
    disks.forEach((name, disk) -> out.println("  " + name + ": " + disk));
    out.printf(
        Locale.ROOT,
        "Rounds: %d, handlers in turn. Before each measurement the page cache is emptied, and each"
            + " is of a job that no handler was asked for before%n",
        plan.rounds());
    for (Scenario scenario : plan.scenarios()) {
      out.printf(
          Locale.ROOT,
          "  %s: %s (%s)%n",
          scenario.label(),
          scenario.words(),
          scenario.pass()
              ? Sizes.format(plan.passBytes()) + " by " + plan.slowFetchers() + " fetchers"
              : seconds(plan.measured().toMillis())
                  + " s after "
                  + seconds(plan.warmUp().toMillis())
                  + " s of warm-up");
    }
    out.println();
    out.flush();
  }

  /** Says what was measured. */
  static void result(PrintWriter out, ShuffleResult result) {
    out.println("Medians of the rounds (memory: the most resident of the handler's JVM, VmHWM)");
    Table arms =
        new Table(
            "scenario",
            "handler",
            ">fetches/s",
            ">MB/s",
            ">p50 ms",
            ">p99 ms",
            ">p999 ms",
            ">CPU us/fetch",
            ">memory",
            ">direct");
    for (Arm arm : result.arms()) {
      arms.row(
          arm.scenario().label() + (arm.hasBeside() ? ", fast disk" : ""),
          arm.name(),
          Figures.text(arm.fetchesPerSecond()),
          Figures.text(arm.mbPerSecond()),
          Figures.text(arm.p50Millis()),
          Figures.text(arm.p99Millis()),
          Figures.text(arm.p999Millis()),
          Figures.text(arm.cpuMicrosPerFetch()),
          Sizes.format(arm.peakMemoryBytes()),
          Sizes.format(arm.peakDirectBytes()));
      if (arm.hasBeside()) {
        arms.row(
            arm.scenario().label() + ", slow disk",
            arm.name(),
            Figures.text(arm.medianBeside(Tally::fetchesPerSecond)),
            Figures.text(arm.medianBeside(Tally::mbPerSecond)),
            Figures.text(arm.medianBeside(Tally::p50Millis)),
            Figures.text(arm.medianBeside(Tally::p99Millis)),
            Figures.text(arm.medianBeside(Tally::p999Millis)),
            "",
            "",
            "");
      }
    }
    arms.lines("  ").forEach(out::println);
    for (Arm arm : result.arms()) {
      DiskReads reads = arm.slowReads();
      if (reads != null && arm.scenario().slow()) {
        out.printf(
            Locale.ROOT,
            "  %s, %s: the slow disk read %s in %d requests of %s%n",
            arm.scenario().label(),
            arm.name(),
            Sizes.format(reads.bytes()),
            reads.requests(),
            Sizes.format(reads.bytesPerRequest()));
      }
    }
    if (result.skipped() != null) {
      out.println("  No scenario with a slow disk: " + result.skipped());
    }
    out.println();
    GoalText.print(out, "two arms: the median of the ratios of their rounds", result.goals());
    out.println();
    result.facts().forEach((what, value) -> out.println("  " + what + ": " + value));
  }

  private static String seconds(long millis) {
    return millis % 1000 == 0
        ? Long.toString(millis / 1000)
        : String.format(Locale.ROOT, "%.1f", millis / 1e3);
  }
}
