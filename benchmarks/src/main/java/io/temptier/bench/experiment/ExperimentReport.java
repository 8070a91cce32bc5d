// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.node.WorkerNode;
import io.temptier.bench.report.Figures;
import io.temptier.bench.report.Goal;
import io.temptier.bench.report.GoalTable;
import io.temptier.cli.report.BarChart;
import io.temptier.cli.report.LineChart;
import io.temptier.cli.report.LineChart.Point;
import io.temptier.cli.report.Page;
import io.temptier.cli.report.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The result as a page of charts. */
final class ExperimentReport {
  private static final String HDDS = "#d98032";
  private static final String FAST = "#0e9aa7";
  private static final String CPU = "#5b7fb8";
  private static final String WAIT = "#c9a227";
  private static final double MIB = 1 << 20;

  private final ExperimentResult result;
  private final List<Goal> goals;

  private ExperimentReport(ExperimentResult result) {
    this.result = result;
    this.goals = result.goals();
  }

  /** A page of its own. */
  static String of(ExperimentResult result) throws IOException {
    ExperimentReport report = new ExperimentReport(result);
    Page page = new Page("TempTier " + result.plan().experiment().title());
    page.head(report.badge(), report.good(), report.lead());
    report.sections(page);
    return page.facts(result.facts()).html();
  }

  /** A part of a page that has others, too. */
  static void chapter(Page page, ExperimentResult result) {
    ExperimentReport report = new ExperimentReport(result);
    page.chapter(result.plan().experiment().title(), report.badge(), report.good(), report.lead());
    report.sections(page);
  }

  private boolean good() {
    return goals.stream().allMatch(goal -> goal.measured() == null || goal.met());
  }

  private String badge() {
    long measured = goals.stream().filter(goal -> goal.measured() != null).count();
    return goals.stream().filter(Goal::met).count() + " of " + measured + " goals met";
  }

  private String lead() {
    ExperimentPlan plan = result.plan();
    return plan.workload().title(plan.experiment().settings().get(0))
        + place(plan.site(), plan.experiment().settings().get(0))
        + ". "
        + result.trials().size()
        + " of "
        + plan.trials()
        + " trials made, every output checked.";
  }

  private static String place(Site site, Setting setting) {
    if (site.ownCluster()) {
      return ", on " + site;
    }
    return (site.ownDirs() ? ", on disks as they are" : ", on one emulated node")
        + (setting.hdfsApart() ? "" : ", HDFS on the HDDs");
  }

  private void sections(Page page) {
    for (String line : result.plan().skipped()) {
      page.note("Skipped: " + line);
    }
    result.trials().stream()
        .filter(trial -> !trial.counts())
        .forEach(trial -> page.note("Does not count: " + trial.id() + ": " + trial.state()));
    page.section("Goals", "Ratios of medians within this run.", GoalTable.markup(goals));
    for (Setting setting : result.plan().experiment().settings()) {
      List<ArmResult> arms =
          result.arms().stream().filter(arm -> arm.setting().equals(setting)).toList();
      if (!arms.isEmpty()) {
        setting(page, setting, arms);
      }
    }
  }

  private void setting(Page page, Setting setting, List<ArmResult> arms) {
    BarChart bars = new BarChart("s");
    for (ArmResult arm : arms) {
      Sample seconds = arm.seconds();
      String failed =
          arm.failedJobs() == 0 ? "" : arm.failedJobs() + " of " + arm.trials().size() + " failed";
      String text = seconds == null ? failed : Figures.text(seconds.median(), 1) + " s " + failed;
      bars.bar(arm.arm().label(), seconds, text, arm.arm().colour());
    }
    page.section(
        "How long it took: " + setting.name(),
        "Median, with every round as a dot. "
            + result.plan().workload().title(setting)
            + "; "
            + result.plan().description(setting)
            + ".",
        bars.markup() + table(arms) + figures(arms));
    if (!result.plan().site().ownCluster()) {
      disksAndCores(page, setting, arms);
    }
  }

  private void disksAndCores(Page page, Setting setting, List<ArmResult> arms) {
    page.section(
        "What disks and cores did: " + setting.name(),
        "The median round of each arm, second by second, all on the same axes. An HDD's load is"
            + (result.plan().site().ownDirs()
                ? " the share of the time in which it was at work"
                : " the share of the bytes or requests that it may do")
            + "; that of the busiest HDD is shown.",
        lines(arms));
  }

  private static String table(List<ArmResult> arms) {
    List<List<String>> rows = new ArrayList<>();
    for (ArmResult arm : arms) {
      Sample seconds = arm.seconds();
      rows.add(
          List.of(
              arm.arm().label(),
              arm.arm().explanation(),
              seconds == null ? "–" : Figures.text(seconds.median(), 1),
              seconds == null
                  ? "–"
                  : Figures.text(seconds.min(), 1) + " – " + Figures.text(seconds.max(), 1),
              (arm.failedTasks() == 0 ? "" : "-") + arm.failedTasks(),
              arm.validated() ? "+all" : "-no",
              Figures.text(arm.mean(Trial::cpuPerReal), 2),
              arm.bytes(Trial::peakTempBytes),
              arm.bytes(Trial::peakFastBytes),
              arm.bytes(ExperimentReport::onHdds)));
    }
    return Page.table(
        List.of(
            "Arm",
            "Temporary data on",
            ">Median, s",
            ">Spread, s",
            ">Failed tasks",
            "Output right",
            ">(user+sys)/real",
            ">Temp at most",
            ">of it fast",
            ">HDD traffic"),
        rows);
  }

  /** Medians of the workload's own figures; nothing where it has none. */
  private String figures(List<ArmResult> arms) {
    List<Figure> figures = result.plan().workload().figures();
    if (figures.isEmpty()) {
      return "";
    }
    List<String> heads = new ArrayList<>(List.of("Arm"));
    figures.forEach(figure -> heads.add(">" + figure.title()));
    List<List<String>> rows = new ArrayList<>();
    for (ArmResult arm : arms) {
      List<String> row = new ArrayList<>(List.of(arm.arm().label()));
      for (Figure figure : figures) {
        Sample values = arm.figure(figure.name());
        row.add(values == null ? "–" : Figures.text(values.median()));
      }
      rows.add(row);
    }
    return Page.table(heads, rows);
  }

  /** Bytes read from and written to all HDDs. */
  private static double onHdds(Trial trial) {
    return trial.traffic().entrySet().stream()
        .filter(disk -> WorkerNode.isHdd(disk.getKey()))
        .mapToLong(disk -> disk.getValue().readBytes() + disk.getValue().writtenBytes())
        .sum();
  }

  private String lines(List<ArmResult> arms) {
    List<Trial> shown = arms.stream().map(ArmResult::typical).toList();
    double end = most(shown, Moment::seconds);
    double mbps = most(shown, moment -> Math.max(mbps(moment, true), mbps(moment, false)));
    double temp = most(shown, moment -> moment.tempBytes().all() / MIB);
    Map<String, String> legend = new LinkedHashMap<>();
    legend.put(HDDS, "all HDDs");
    legend.put(FAST, "fast disk");
    legend.put(CPU, "cores at work");
    legend.put(WAIT, "cores waiting for disks");
    StringBuilder markup = new StringBuilder(LineChart.legend(legend));
    for (Trial trial : shown) {
      markup.append("<h3>").append(Page.escape(trial.id().arm().label())).append("</h3>");
      markup.append("<div class=\"triple\">");
      for (LineChart chart :
          List.of(
              new LineChart("disks, MB/s", end, mbps)
                  .line(FAST, points(trial, moment -> mbps(moment, false)))
                  .line(HDDS, points(trial, moment -> mbps(moment, true))),
              new LineChart("load, %", end, 100)
                  .line(WAIT, points(trial, moment -> 100 * moment.ioWait()))
                  .line(CPU, points(trial, moment -> 100 * moment.cpu()))
                  .line(HDDS, points(trial, moment -> 100 * busiestHdd(moment))),
              new LineChart("temporary data, MiB", end, temp)
                  .line(FAST, points(trial, moment -> moment.tempBytes().fast() / MIB))
                  .line(HDDS, points(trial, moment -> moment.tempBytes().slow() / MIB)))) {
        markup.append("<div>").append(chart.markup()).append("</div>");
      }
      markup.append("</div>");
    }
    return markup.toString();
  }

  private static double mbps(Moment moment, boolean slow) {
    return moment.disks().entrySet().stream()
        .filter(disk -> WorkerNode.isHdd(disk.getKey()) == slow)
        .mapToDouble(disk -> disk.getValue().mbps())
        .sum();
  }

  private static double busiestHdd(Moment moment) {
    return moment.disks().entrySet().stream()
        .filter(disk -> WorkerNode.isHdd(disk.getKey()))
        .mapToDouble(disk -> disk.getValue().busy())
        .max()
        .orElse(0);
  }

  private static double most(List<Trial> trials, ToDoubleFunction<Moment> figure) {
    return trials.stream()
        .flatMap(trial -> trial.moments().stream())
        .mapToDouble(figure)
        .max()
        .orElse(1);
  }

  private static List<Point> points(Trial trial, ToDoubleFunction<Moment> figure) {
    return trial.moments().stream()
        .map(moment -> new Point(moment.seconds(), figure.applyAsDouble(moment)))
        .toList();
  }
}
