// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.experiment.Figure.Sample;
import io.temptier.bench.experiment.GoalSpec.Goal;
import io.temptier.bench.report.Figures;
import io.temptier.cli.Table;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The result as tables for people. */
final class ExperimentReport {
  /** Else a table's lines are too long for a terminal. */
  private static final int FIGURES_IN_A_TABLE = 8;

  private ExperimentReport() {}

  static void print(ExperimentResult result, PrintWriter out) {
    print(armTable(result), result.arms(), out);
    List<Figure> figures = result.plan().figures();
    for (int from = 0; from < figures.size(); from += FIGURES_IN_A_TABLE) {
      int to = Math.min(figures.size(), from + FIGURES_IN_A_TABLE);
      figureTable(result.arms(), figures.subList(from, to), out);
    }
    out.println("Goals (ratios within this run)");
    print(Goal.table(), result.goals(), out);
  }

  private static <T> void print(Table<T> columns, List<T> rows, PrintWriter out) {
    columns.print(out, "  ", rows);
    out.println();
  }

  private static Table<ArmResult> armTable(ExperimentResult result) {
    Plan plan = result.plan();
    Figure compared = plan.compared();
    Table<ArmResult> columns =
        named(result.arms())
            .add(">Median, " + compared.title(), arm -> text(arm, compared, Sample::median))
            .wide(">Least", arm -> text(arm, compared, Sample::min))
            .wide(">Most", arm -> text(arm, compared, Sample::max))
            .add(">Of the first", arm -> Figures.text(result.ofFirst(arm), 2))
            .add(">Failed", arm -> arm.failedJobs() + " of " + arm.trials().size());
    if (plan.workload().runsJobs()) {
      columns
          .wide(">Failed tasks", arm -> arm.failedTasks() + "")
          .wide(">(user+sys)/real", arm -> Figures.text(arm.mean(Trial::cpuPerReal), 2))
          .wide(">Temp at most", arm -> arm.bytes(Trial::peakTempBytes))
          .wide(">Of it fast", arm -> arm.bytes(Trial::peakFastBytes))
          .wide(">HDD traffic", arm -> arm.bytes(Trial::hddBytes));
    }
    return columns;
  }

  /** Arms by their names; the setting's is told where there are several. */
  private static Table<ArmResult> named(List<ArmResult> arms) {
    Table<ArmResult> columns = new Table<>();
    if (arms.stream().map(ArmResult::setting).distinct().count() > 1) {
      columns.add("Setting", ArmResult::setting);
    }
    return columns.add("Arm", arm -> arm.arm().label());
  }

  private static String text(ArmResult arm, Figure figure, ToDoubleFunction<Sample> of) {
    return Figures.text(of.applyAsDouble(arm.figure(figure.name())));
  }

  /** Prints medians of the workload's own figures, of the arms that have any of them. */
  private static void figureTable(List<ArmResult> arms, List<Figure> figures, PrintWriter out) {
    Table<ArmResult> columns = named(arms);
    List<Figure> measured =
        figures.stream().filter(figure -> arms.stream().anyMatch(arm -> has(arm, figure))).toList();
    measured.forEach(figure -> columns.add(">" + figure.title(), arm -> text(arm, figure)));
    List<ArmResult> having =
        arms.stream().filter(arm -> measured.stream().anyMatch(one -> has(arm, one))).toList();
    if (!having.isEmpty()) {
      print(columns, having, out);
    }
  }

  private static boolean has(ArmResult arm, Figure figure) {
    return !arm.figure(figure.name()).sorted().isEmpty();
  }

  /** Requests and other counts without digits after the point. */
  private static String text(ArmResult arm, Figure figure) {
    double value = arm.figure(figure.name()).median() / figure.unit();
    return value == Math.rint(value) ? Figures.text(value, 0) : Figures.text(value);
  }
}
