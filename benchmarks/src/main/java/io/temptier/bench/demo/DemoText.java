// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import io.temptier.bench.cluster.JobResult;
import io.temptier.tier.Medium;
import io.temptier.tier.Sizes;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What the demo prints. */
final class DemoText {
  private DemoText() {}

  /** Says beforehand what is going to be done, and what it cannot show. */
  static void plan(PrintWriter out, DemoPlan plan, String where) {
    String source =
        plan.rows() > 0
            ? String.format(
                Locale.ROOT, "TeraGen, TeraSort and TeraValidate of %,d rows", plan.rows())
            : "a sort of the lines of " + plan.input().size() + " file(s)";
    out.println(
        "A real Hadoop cluster on this machine, NodeManagers: " + plan.nodes() + ", in " + where);
    out.println("  runs " + source + " (" + Sizes.format(plan.inputBytes()) + ") through YARN.");
    out.println(
        "  Temporary data will peak near "
            + Sizes.format(plan.tempBytes())
            + "; the fast tier may take: "
            + plan.fastCapText()
            + ", the slow one the rest.");
    out.println(
        "  Both tiers are folders on one disk of this machine, tagged NVME and DISK: this shows"
            + " placement, not speed.");
    out.println("  Set for this machine, however full its disk, and for so small a tier:");
    out.println(
        "    temptier.reserve="
            + Sizes.format(DemoPlan.RESERVE_BYTES)
            + " (default 15%), temptier.unknown-size="
            + Sizes.format(DemoPlan.UNKNOWN_SIZE_BYTES)
            + " (default 64 MiB), YARN's own disk check at 100% (default 90%).");
    out.println();
    out.flush();
  }

  /** Says what was measured. */
  static void result(PrintWriter out, DemoResult result) {
    phases(out, result.phases());
    out.println("What the sort's tasks placed, by its own counters (group TempTier)");
    out.println(
        "  Fewer files than above, where it is " + inAll(result) + ": work dirs, localized");
    out.println("  and other files are the NodeManager's, and demotion's copies nobody placed.");
    if (result.tiers().isEmpty()) {
      out.println("  nothing was reported: TempTier did not place this job's files");
    }
    result.tiers().forEach((medium, tally) -> row(out, medium.name(), tally));
    row(out, "spilled down", result.spilledDown());
    out.println();
    out.println("Why files went down");
    if (result.refusals().isEmpty()) {
      out.println("  none did");
    }
    result
        .refusals()
        .forEach((why, tally) -> row(out, why.medium() + ": " + why.reason().text(), tally));
    out.println();
    out.println("Jobs");
    for (JobResult job : result.jobs()) {
      out.printf(
          Locale.ROOT,
          "  %-13s %-10s %4d maps %3d reduces %3d failed  %7.1f s%n",
          job.name(),
          job.state(),
          job.maps(),
          job.reduces(),
          job.failedAttempts(),
          job.jobSeconds());
    }
    out.println();
    out.println((result.validated() ? "Validated: " : "NOT VALIDATED: ") + result.validation());
  }

  private static String inAll(DemoResult result) {
    long files =
        result.phases().values().stream()
            .flatMap(tallies -> tallies.values().stream())
            .mapToLong(Tally::files)
            .sum();
    return files + " in all";
  }

  private static void phases(PrintWriter out, Map<Phase, Map<Medium, Tally>> phases) {
    Set<Medium> media = EnumSet.noneOf(Medium.class);
    phases.values().forEach(tallies -> media.addAll(tallies.keySet()));
    out.println("Where the sort's temporary bytes went");
    out.printf(Locale.ROOT, "  %-18s", "");
    media.forEach(medium -> out.printf(Locale.ROOT, " %22s", medium));
    out.println();
    phases.forEach(
        (phase, tallies) -> {
          out.printf(Locale.ROOT, "  %-18s", phase.label());
          media.forEach(
              medium -> {
                Tally tally = tallies.getOrDefault(medium, Tally.NONE);
                out.printf(
                    Locale.ROOT,
                    " %22s",
                    tally.files() == 0
                        ? "-"
                        : Sizes.format(tally.bytes()) + " in " + tally.files());
              });
          out.println();
        });
    out.println();
  }

  private static void row(PrintWriter out, String what, Tally tally) {
    out.printf(
        Locale.ROOT, "  %-60s %6d files %12s%n", what, tally.files(), Sizes.format(tally.bytes()));
  }
}
