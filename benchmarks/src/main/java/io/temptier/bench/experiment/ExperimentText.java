// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.report.Figures;
import io.temptier.bench.report.Goals;
import io.temptier.cli.Table;
import io.temptier.cli.report.Sample;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the command prints. */
final class ExperimentText {
  /** Else its lines are too long for a terminal. */
  private static final int FIGURES_IN_A_TABLE = 8;

  private ExperimentText() {}

  /** Says beforehand what is going to be done. */
  static void plan(PrintWriter out, ExperimentPlan plan) {
    out.println(plan.title() + ".");
    out.println(plan.lead() + ".");
    List<Arm> told = List.of();
    for (Part part : plan.parts()) {
      if (!part.arms().equals(told)) {
        told = part.arms();
        out.println(
            plan.rounds()
                + (plan.rounds() == 1 ? " round" : " rounds")
                + " of "
                + told.stream().map(Arm::label).collect(Collectors.joining(", ")));
      }
      part.settings().forEach(one -> out.println("  " + one + ": " + plan.description(one)));
    }
    plan.skipped().forEach(line -> out.println("Skipped: " + line));
    out.println();
    out.flush();
  }

  static void trial(PrintWriter out, ExperimentPlan plan, Trial trial) {
    Figure compared = plan.compared();
    Double value = trial.figure(compared.name());
    String failure = trial.counts() ? "" : "  " + trial.state();
    if (!trial.counts() && plan.runsJobs()) {
      failure +=
          ", "
              + trial.failedTasks()
              + " failed tasks, output "
              + (trial.validated() ? "right" : "missing or wrong");
    }
    out.printf(
        Locale.ROOT,
        "  %-34s %7s %s%s%n",
        trial.id(),
        value == null ? "-" : Figures.text(value, 1),
        compared.title(),
        failure);
    out.flush();
  }

  static void result(PrintWriter out, ExperimentResult result) {
    out.println();
    arms(result).lines("  ").forEach(out::println);
    List<Figure> figures = result.plan().figures();
    for (int from = 0; from < figures.size(); from += FIGURES_IN_A_TABLE) {
      int to = Math.min(figures.size(), from + FIGURES_IN_A_TABLE);
      out.println();
      figures(result, figures.subList(from, to)).lines("  ").forEach(out::println);
    }
    out.println();
    Goals.print(out, "ratios within this run", result.goals());
    result.plan().skipped().forEach(line -> out.println("  skipped: " + line));
    out.println();
    result.facts().forEach((what, value) -> out.println("  " + what + ": " + value));
  }

  private static Table arms(ExperimentResult result) {
    ExperimentPlan plan = result.plan();
    Figure compared = plan.compared();
    List<String> heads =
        new ArrayList<>(
            List.of(
                "setting",
                "arm",
                ">median, " + compared.title(),
                ">least",
                ">most",
                ">of the first",
                ">failed"));
    if (plan.runsJobs()) {
      heads.addAll(List.of(">failed tasks", ">(user+sys)/real", ">temp at most", ">of it fast"));
    }
    Table table = new Table(heads.toArray(String[]::new));
    for (ArmResult arm : result.arms()) {
      Sample values = arm.figure(compared.name());
      Double ofFirst = result.ofFirst(arm);
      List<String> row =
          new ArrayList<>(
              List.of(
                  arm.setting(),
                  arm.arm().label(),
                  values == null ? "-" : Figures.text(values.median()),
                  values == null ? "-" : Figures.text(values.min()),
                  values == null ? "-" : Figures.text(values.max()),
                  ofFirst == null ? "-" : Figures.text(ofFirst, 2),
                  arm.failedJobs() + " of " + arm.trials().size()));
      if (plan.runsJobs()) {
        row.addAll(
            List.of(
                Integer.toString(arm.failedTasks()),
                Figures.text(arm.mean(Trial::cpuPerReal), 2),
                arm.bytes(Trial::peakTempBytes),
                arm.bytes(Trial::peakFastBytes)));
      }
      table.row(row.toArray(String[]::new));
    }
    return table;
  }

  /** Of the arms that have any of them. */
  private static Table figures(ExperimentResult result, List<Figure> figures) {
    List<String> heads = new ArrayList<>(List.of("setting", "arm"));
    figures.forEach(figure -> heads.add(">" + figure.title()));
    Table table = new Table(heads.toArray(String[]::new));
    for (ArmResult arm : result.arms()) {
      List<String> row = new ArrayList<>(List.of(arm.setting(), arm.arm().label()));
      for (Figure figure : figures) {
        Sample values = arm.figure(figure.name());
        row.add(values == null ? "-" : Figures.text(figure.of(values) / figure.unit()));
      }
      if (row.stream().skip(2).anyMatch(cell -> !cell.equals("-"))) {
        table.row(row.toArray(String[]::new));
      }
    }
    return table;
  }
}
