// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.report.Figures;
import io.temptier.bench.report.GoalText;
import io.temptier.cli.Table;
import io.temptier.cli.report.Sample;
import io.temptier.tier.Sizes;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the command prints. */
final class ExperimentText {
  private ExperimentText() {}

  /** Says beforehand what is going to be done. */
  static void plan(PrintWriter out, ExperimentPlan plan) {
    out.printf(
        Locale.ROOT,
        "%s.%nAbout %s of temporary data at its peak; %d %s of %s.%n",
        plan.experiment().title(),
        Sizes.format(plan.workload().tempBytes()),
        plan.rounds(),
        plan.rounds() == 1 ? "round" : "rounds",
        plan.arms().stream().map(Arm::label).collect(Collectors.joining(", ")));
    for (Setting setting : plan.experiment().settings()) {
      out.println(
          "  "
              + setting.name()
              + ": "
              + plan.workload().title(setting)
              + "; "
              + plan.description(setting));
    }
    plan.skipped().forEach(line -> out.println("Skipped: " + line));
    out.println();
    out.flush();
  }

  /** Says what came of one trial. */
  static void trial(PrintWriter out, Trial trial) {
    out.printf(
        Locale.ROOT,
        "  %-34s %7.1f s%s%n",
        trial.id(),
        trial.seconds(),
        trial.counts()
            ? ""
            : "  "
                + trial.state()
                + ", "
                + trial.failedTasks()
                + " failed tasks, output "
                + (trial.validated() ? "right" : "missing or wrong"));
    out.flush();
  }

  /** Says what was measured. */
  static void result(PrintWriter out, ExperimentResult result) {
    out.println();
    arms(result).lines("  ").forEach(out::println);
    List<Figure> figures = result.plan().workload().figures();
    if (!figures.isEmpty()) {
      out.println();
      figures(result, figures).lines("  ").forEach(out::println);
    }
    out.println();
    GoalText.print(out, "ratios of medians within this run", result.goals());
    result.plan().skipped().forEach(line -> out.println("  skipped: " + line));
    out.println();
    result.facts().forEach((what, value) -> out.println("  " + what + ": " + value));
  }

  private static Table arms(ExperimentResult result) {
    Table arms =
        new Table(
            "setting",
            "arm",
            ">median",
            ">least",
            ">most",
            ">failed tasks",
            ">failed",
            ">(user+sys)/real",
            ">temp at most",
            ">of it fast");
    for (ArmResult arm : result.arms()) {
      Sample seconds = arm.seconds();
      arms.row(
          arm.setting().name(),
          arm.arm().label(),
          seconds == null ? "-" : Figures.text(seconds.median(), 1),
          seconds == null ? "-" : Figures.text(seconds.min(), 1),
          seconds == null ? "-" : Figures.text(seconds.max(), 1),
          Integer.toString(arm.failedTasks()),
          arm.failedJobs() + " of " + arm.trials().size(),
          Figures.text(arm.mean(Trial::cpuPerReal), 2),
          arm.bytes(Trial::peakTempBytes),
          arm.bytes(Trial::peakFastBytes));
    }
    return arms;
  }

  /** Medians of the workload's own figures. */
  private static Table figures(ExperimentResult result, List<Figure> figures) {
    List<String> heads = new ArrayList<>(List.of("setting", "arm"));
    figures.forEach(figure -> heads.add(">" + figure.title()));
    Table table = new Table(heads.toArray(String[]::new));
    for (ArmResult arm : result.arms()) {
      List<String> row = new ArrayList<>(List.of(arm.setting().name(), arm.arm().label()));
      for (Figure figure : figures) {
        Sample values = arm.figure(figure.name());
        row.add(values == null ? "-" : Figures.text(values.median()));
      }
      table.row(row.toArray(String[]::new));
    }
    return table;
  }
}
