// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.report.DataTable;
import io.temptier.bench.report.Figures;
import io.temptier.bench.report.Sample;
import io.temptier.cli.Table;
import io.temptier.cli.report.Page;
import io.temptier.lab.node.WorkerNode;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A result as tables, the same on pages and in terminals. */
final class ResultTables {
  private static final String ABSENT = "–";

  private ResultTables() {}

  static DataTable<ArmResult> arms(ExperimentResult result, List<ArmResult> arms) {
    Plan plan = result.plan();
    Figure compared = plan.compared();
    Table<ArmResult> columns =
        named(arms)
            .add(">Median, " + compared.title(), arm -> text(arm, compared, Sample::median))
            .wide(">Least", arm -> text(arm, compared, Sample::min))
            .wide(">Most", arm -> text(arm, compared, Sample::max))
            .add(">Of the first", arm -> ofFirst(result, arm))
            .add(
                ">Failed",
                arm ->
                    (arm.validated() ? Page.GOOD : Page.BAD)
                        + arm.failedJobs()
                        + " of "
                        + arm.trials().size());
    if (plan.workload().runsJobs()) {
      columns
          .wide(
              ">Failed tasks", arm -> (arm.failedTasks() == 0 ? "" : Page.BAD) + arm.failedTasks())
          .wide(">(user+sys)/real", arm -> Figures.text(arm.mean(Trial::cpuPerReal), 2))
          .wide(">Temp at most", arm -> arm.bytes(Trial::peakTempBytes))
          .wide(">Of it fast", arm -> arm.bytes(Trial::peakFastBytes))
          .wide(">HDD traffic", arm -> arm.bytes(ResultTables::onHdds));
    }
    return new DataTable<>(columns, arms, "");
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
    Sample values = arm.figure(figure.name());
    return values == null ? ABSENT : Figures.text(of.applyAsDouble(values));
  }

  private static String ofFirst(ExperimentResult result, ArmResult arm) {
    Double ofFirst = result.ofFirst(arm);
    return ofFirst == null ? ABSENT : Figures.text(ofFirst, 2);
  }

  private static double onHdds(Trial trial) {
    return trial.traffic().entrySet().stream()
        .filter(disk -> WorkerNode.isHdd(disk.getKey()))
        .mapToLong(disk -> disk.getValue().bytes())
        .sum();
  }

  /** Medians of the workload's own figures, of the arms that have any of them. */
  static DataTable<ArmResult> figures(List<ArmResult> arms, List<Figure> figures) {
    Table<ArmResult> columns = named(arms);
    List<Figure> measured =
        figures.stream()
            .filter(figure -> arms.stream().anyMatch(arm -> arm.figure(figure.name()) != null))
            .toList();
    measured.forEach(figure -> columns.add(">" + figure.title(), arm -> text(arm, figure)));
    List<ArmResult> having =
        arms.stream()
            .filter(arm -> measured.stream().anyMatch(one -> arm.figure(one.name()) != null))
            .toList();
    return new DataTable<>(columns, having, "");
  }

  /** Requests and other counts without digits after the point. */
  private static String text(ArmResult arm, Figure figure) {
    Sample values = arm.figure(figure.name());
    double value = values == null ? 0 : figure.of(values) / figure.unit();
    String text = value == Math.rint(value) ? Figures.text(value, 0) : Figures.text(value);
    return values == null ? ABSENT : text;
  }
}
