// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.bench.report.Figures;
import io.temptier.bench.report.GoalText;
import io.temptier.cli.Table;
import io.temptier.tier.Sizes;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the command prints. */
final class S3aText {
  private S3aText() {}

  /** Says beforehand what is going to be done. */
  static void plan(PrintWriter out, S3aPlan plan, String store) {
    out.println("S3A on " + store + ", each way to set it up in a JVM of its own, in turn.");
    out.println(
        "Hadoop "
            + String.join(", ", plan.hadoops())
            + "; rounds: "
            + plan.rounds()
            + (plan.quick() ? "" : ", after one to practise")
            + "; an object of "
            + plan.objectMib()
            + " MiB, a Parquet file of "
            + plan.rows()
            + " rows"
            + (plan.files() > 0 ? ", " + plan.files() + " files of 16 MiB" : ""));
    for (Pattern pattern : plan.patterns()) {
      out.println("  " + pattern.label() + ": " + plan.count(pattern) + " " + pattern.words());
    }
    out.println();
    out.flush();
  }

  /** Says what was measured. */
  static void result(PrintWriter out, S3aResult result) {
    out.println(
        "Medians of the rounds (speed-up: against the first of the pattern, the median of the"
            + " rounds' ratios)");
    Table table =
        new Table(
            "pattern",
            "Hadoop",
            "set-up",
            ">seconds",
            ">speed-up",
            ">MB/s",
            ">from the store",
            ">requests");
    for (Arm arm : result.arms()) {
      table.row(
          arm.pattern().label(),
          arm.hadoop(),
          arm.name(),
          Figures.text(arm.medianSeconds()),
          first(result.arms(), arm)
              .map(first -> Figures.text(arm.speedUp(first)) + " x")
              .orElse(""),
          Figures.text(arm.mbPerSecond()),
          arm.storeBytes() > 0 ? Sizes.format(arm.storeBytes()) : "-",
          arm.requests() > 0 ? Long.toString(arm.requests()) : "-");
    }
    table.lines("  ").forEach(out::println);
    result.remarks().forEach(remark -> out.println("  " + remark));
    out.println();
    GoalText.print(out, "medians of the ratios of the rounds", result.goals());
    out.println();
    for (Map.Entry<String, String> fact : result.facts().entrySet()) {
      out.println("  " + fact.getKey() + ": " + fact.getValue());
    }
  }

  private static Optional<Arm> first(List<Arm> arms, Arm other) {
    return arms.stream()
        .filter(arm -> arm.pattern() == other.pattern() && arm.hadoop().equals(other.hadoop()))
        .findFirst();
  }
}
