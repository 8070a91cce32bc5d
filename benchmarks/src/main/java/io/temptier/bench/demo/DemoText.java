// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import io.temptier.bench.demo.DemoResult.Job;
import io.temptier.bench.demo.DemoResult.OfTier;
import io.temptier.bench.demo.DemoResult.Refused;
import io.temptier.bench.demo.DemoResult.Tally;
import io.temptier.bench.report.Figures;
import io.temptier.cli.Table;
import io.temptier.tier.Medium;
import io.temptier.tier.Sizes;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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
    out.printf(
        """
        A real Hadoop cluster on this machine, NodeManagers: %d, in %s
          runs %s (%s) through YARN.
          Temporary data will peak near %s; the fast tier may take: %s, the slow one the rest.
          Both tiers are folders on one disk of this machine, tagged NVME and DISK: this shows placement, not speed.
          Set for this machine, however full its disk, and for so small a tier:
            temptier.reserve=%s (default 15%%), temptier.unknown-size=%s (default 64 MiB), YARN's own disk check at 100%% (default 90%%).

        """,
        plan.nodes(),
        where,
        source,
        Sizes.format(plan.inputBytes()),
        Sizes.format(plan.tempBytes()),
        plan.fastCapText(),
        Sizes.format(DemoPlan.RESERVE_BYTES),
        Sizes.format(DemoPlan.UNKNOWN_SIZE_BYTES));
    out.flush();
  }

  static void result(PrintWriter out, DemoResult result) {
    out.println("Where the sort's temporary bytes went");
    List<String> heads = new ArrayList<>(List.of(""));
    result.media().forEach(medium -> heads.add(">" + medium));
    Table phases = new Table(heads.toArray(String[]::new));
    for (String phase : result.phaseLabels()) {
      List<String> row = new ArrayList<>(List.of(phase));
      for (Medium medium : result.media()) {
        row.add(result.at(phase, medium).toString());
      }
      phases.row(row.toArray(String[]::new));
    }
    print(out, phases);
    out.println("What the sort's tasks placed, by its own counters (TEMPTIER-...)");
    out.println("  Fewer files than above, where it is " + result.written().files() + " in all:");
    out.println("  work dirs, localized and other files are the NodeManager's, and demotion's");
    out.println("  copies nobody placed.");
    if (result.tiers().isEmpty()) {
      out.println("  nothing was reported: TempTier did not place this job's files");
    }
    Table placed = new Table("", ">files", ">bytes");
    for (OfTier tier : result.tiers()) {
      row(placed, tier.medium().name(), tier.tally());
    }
    row(placed, "spilled down", result.spilledDown());
    print(out, placed);
    out.println("Why files went down");
    Table refusals = new Table(result.refusals().isEmpty() ? "none did" : "", ">files", ">bytes");
    for (Refused refused : result.refusals()) {
      row(refusals, refused.medium() + ": " + refused.text(), refused.tally());
    }
    print(out, refusals);
    out.println("Jobs");
    Table jobs = new Table("", "", ">maps", ">reduces", ">failed", ">seconds");
    for (Job job : result.jobs()) {
      jobs.row(
          job.name(),
          job.state(),
          "" + job.maps(),
          "" + job.reduces(),
          "" + job.failedAttempts(),
          Figures.text(job.jobSeconds(), 1));
    }
    print(out, jobs);
    out.println((result.validated() ? "Validated: " : "NOT VALIDATED: ") + result.validation());
  }

  private static void row(Table table, String what, Tally tally) {
    table.row(what, Long.toString(tally.files()), Sizes.format(tally.bytes()));
  }

  private static void print(PrintWriter out, Table table) {
    table.lines("  ").forEach(out::println);
    out.println();
  }
}
