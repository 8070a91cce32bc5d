// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.report.DataTable;
import io.temptier.bench.report.Figures;
import io.temptier.bench.report.Sample;
import io.temptier.cli.report.Page;
import io.temptier.lab.node.WorkerNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A result as tables, the same on pages, in terminals and for spreadsheets. */
public final class ResultTables {
  private static final String ABSENT = "–";

  private ResultTables() {}

  static DataTable arms(ExperimentResult result, List<ArmResult> arms) {
    Plan plan = result.plan();
    Figure compared = plan.compared();
    List<List<String>> rows = new ArrayList<>();
    for (ArmResult arm : arms) {
      Sample values = arm.figure(compared.name());
      List<String> row = new ArrayList<>(List.of(arm.setting(), arm.arm().label()));
      row.addAll(
          values == null
              ? List.of(ABSENT, ABSENT, ABSENT)
              : Stream.of(values.median(), values.min(), values.max()).map(Figures::text).toList());
      Double ofFirst = result.ofFirst(arm);
      row.add(ofFirst == null ? ABSENT : Figures.text(ofFirst, 2));
      row.add(mark(arm.validated()) + arm.failedJobs() + " of " + arm.trials().size());
      if (plan.workload().runsJobs()) {
        row.add((arm.failedTasks() == 0 ? "" : Page.BAD) + arm.failedTasks());
        row.add(Figures.text(arm.mean(Trial::cpuPerReal), 2));
        row.add(arm.bytes(Trial::peakTempBytes));
        row.add(arm.bytes(Trial::peakFastBytes));
        row.add(arm.bytes(ResultTables::onHdds));
      }
      rows.add(row);
    }
    String heads = "Setting|Arm|>Median, %s|>Least|>Most|>Of the first|>Failed";
    String ofJobs = "|>Failed tasks|>(user+sys)/real|>Temp at most|>Of it fast|>HDD traffic";
    return new DataTable(
        heads.formatted(compared.title()) + (plan.workload().runsJobs() ? ofJobs : ""), rows);
  }

  private static String mark(boolean good) {
    return good ? Page.GOOD : Page.BAD;
  }

  private static double onHdds(Trial trial) {
    return trial.traffic().entrySet().stream()
        .filter(disk -> WorkerNode.isHdd(disk.getKey()))
        .mapToLong(disk -> disk.getValue().bytes())
        .sum();
  }

  /** Medians of the workload's own figures, of the arms that have any of them. */
  static DataTable figures(List<ArmResult> arms, List<Figure> figures) {
    List<Figure> measured =
        figures.stream()
            .filter(figure -> arms.stream().anyMatch(arm -> arm.figure(figure.name()) != null))
            .toList();
    List<String> heads = new ArrayList<>(List.of("Setting", "Arm"));
    measured.forEach(figure -> heads.add(">" + figure.title()));
    List<List<String>> rows = new ArrayList<>();
    for (ArmResult arm : arms) {
      List<String> row = new ArrayList<>(List.of(arm.setting(), arm.arm().label()));
      for (Figure figure : measured) {
        Sample values = arm.figure(figure.name());
        row.add(values == null ? ABSENT : text(figure.of(values) / figure.unit()));
      }
      if (row.stream().skip(2).anyMatch(cell -> !cell.equals(ABSENT))) {
        rows.add(row);
      }
    }
    return new DataTable(heads, rows);
  }

  /** Requests and other counts without digits after the point. */
  private static String text(double value) {
    return value == Math.rint(value) ? Figures.text(value, 0) : Figures.text(value);
  }
}
