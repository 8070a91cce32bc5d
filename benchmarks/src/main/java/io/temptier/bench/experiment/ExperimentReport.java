// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.report.Figures;
import io.temptier.bench.report.Goal;
import io.temptier.bench.report.Goals;
import io.temptier.cli.report.Chart;
import io.temptier.cli.report.Chart.Axis;
import io.temptier.cli.report.Chart.Kind;
import io.temptier.cli.report.Chart.Series;
import io.temptier.cli.report.MachineFacts;
import io.temptier.cli.report.Page;
import io.temptier.cli.report.Sample;
import io.temptier.lab.node.WorkerNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The result as a page of charts. */
final class ExperimentReport {
  private final ExperimentResult result;
  private final List<Goal> goals;

  private ExperimentReport(ExperimentResult result) {
    this.result = result;
    this.goals = result.goals();
  }

  /** A page of its own. */
  static String of(ExperimentResult result) throws IOException {
    Page page = new Page("TempTier " + result.plan().title());
    chapter(page, result);
    return page.facts(result.facts()).html();
  }

  /** A part of a page that has others, too. */
  static void chapter(Page page, ExperimentResult result) {
    ExperimentReport report = new ExperimentReport(result);
    page.head(
        result.plan().title(),
        Goals.badge(report.goals, true, MachineFacts.doubts(result.facts())),
        report.lead());
    report.sections(page);
  }

  private String lead() {
    ExperimentPlan plan = result.plan();
    return "%s. %s of %s trials made, every output checked."
        .formatted(plan.lead(), result.trials().size(), plan.trials());
  }

  private void sections(Page page) {
    for (String line : result.plan().skipped()) {
      page.note("Skipped: " + line);
    }
    result.trials().stream()
        .filter(trial -> !trial.counts())
        .forEach(trial -> page.note("Does not count: " + trial.id() + ": " + trial.state()));
    page.section("Goals", "Ratios within this run.", Goals.markup(goals));
    for (String setting : result.plan().settings()) {
      List<ArmResult> arms =
          result.arms().stream().filter(arm -> arm.setting().equals(setting)).toList();
      if (!arms.isEmpty()) {
        setting(page, setting, arms);
      }
    }
  }

  private void setting(Page page, String setting, List<ArmResult> arms) {
    ExperimentPlan plan = result.plan();
    Figure compared = plan.compared();
    page.section(
        (compared.equals(Figure.SECONDS) ? "How long it took" : compared.title()) + ": " + setting,
        "Median, with every round as a dot. " + capitalised(plan.description(setting)) + ".",
        bars(compared, arms) + (plan.runsJobs() ? table(arms) : "") + figures(arms));
    if (arms.stream().anyMatch(arm -> !arm.typical().moments().isEmpty())) {
      disksAndCores(page, setting, arms);
    }
  }

  private static String bars(Figure compared, List<ArmResult> arms) {
    List<@Nullable Double> medians = new ArrayList<>();
    List<List<Double>> rounds = new ArrayList<>();
    for (ArmResult arm : arms) {
      Sample values = arm.figure(compared.name());
      medians.add(values == null ? null : values.median() / compared.unit());
      rounds.add(
          values == null
              ? List.of()
              : values.sorted().stream().map(value -> value / compared.unit()).toList());
    }
    Axis axis = compared.equals(Figure.SECONDS) ? new Axis("time", "s") : axis(compared.title());
    return new Chart(
            Kind.BARS,
            "Each arm",
            new Axis("arm", ""),
            axis,
            arms.stream().map(arm -> arm.arm().label()).toList(),
            List.of(
                new Series(
                    "median",
                    arms.stream().map(arm -> arm.arm().colour()).toList(),
                    medians,
                    rounds)))
        .markup();
  }

  /** Of a title that ends with its unit. */
  private static Axis axis(String title) {
    int comma = title.lastIndexOf(", ");
    return comma < 0
        ? new Axis(title, "")
        : new Axis(title.substring(0, comma), title.substring(comma + 2));
  }

  private static void disksAndCores(Page page, String setting, List<ArmResult> arms) {
    page.section(
        "What disks and cores did: " + setting,
        "The median round of each arm, second by second, all on the same axes. An HDD's load is"
            + " the share of the bytes or requests that it may do, or, of a disk as it is, of the"
            + " time in which it was at work; that of the busiest HDD is shown.",
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
              seconds == null || seconds.sorted().size() < 2
                  ? "–"
                  : Figures.text(seconds.min(), 1) + " – " + Figures.text(seconds.max(), 1),
              (arm.failedTasks() == 0 ? "" : Page.BAD) + arm.failedTasks(),
              arm.validated()
                  ? Page.GOOD + "all"
                  : Page.BAD + arm.failedJobs() + " of " + arm.trials().size() + " failed",
              Figures.text(arm.mean(Trial::cpuPerReal), 2),
              arm.bytes(Trial::peakTempBytes),
              arm.bytes(Trial::peakFastBytes),
              arm.bytes(ExperimentReport::onHdds)));
    }
    return Page.table(
        "Arm|Temporary data on|>Median, s|>Spread, s|>Failed tasks|Output right|>(user+sys)/real"
            + "|>Most temporary data|>of it on NVMe|>HDD traffic",
        rows);
  }

  /** Medians of the workload's own figures that were measured; nothing where there are none. */
  private String figures(List<ArmResult> arms) {
    List<Figure> figures =
        result.plan().figures().stream()
            .filter(figure -> arms.stream().anyMatch(arm -> arm.figure(figure.name()) != null))
            .toList();
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
        row.add(values == null ? "–" : text(figure.of(values) / figure.unit()));
      }
      rows.add(row);
    }
    return Page.table(heads, rows);
  }

  private static String capitalised(String sentence) {
    return sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
  }

  /** Requests and other counts without digits after the point. */
  private static String text(double value) {
    return value == Math.rint(value) ? Figures.text(value, 0) : Figures.text(value);
  }

  /** Bytes read from and written to all HDDs. */
  private static double onHdds(Trial trial) {
    return trial.traffic().entrySet().stream()
        .filter(disk -> WorkerNode.isHdd(disk.getKey()))
        .mapToLong(disk -> disk.getValue().readBytes() + disk.getValue().writtenBytes())
        .sum();
  }

  private static String lines(List<ArmResult> arms) {
    List<Trial> shown = arms.stream().map(ArmResult::typical).toList();
    double mbps = most(shown, moment -> Math.max(mbps(moment, true), mbps(moment, false)));
    double temp = most(shown, moment -> moment.tempBytes().all());
    Axis time = new Axis("since the job was submitted", "s").upTo(most(shown, NodeSample::seconds));
    StringBuilder markup = new StringBuilder();
    for (Trial trial : shown) {
      String arm = trial.id().arm().label();
      markup.append("<h3>").append(Page.escape(arm)).append("</h3><div class=\"triple\">");
      List<Series> disks =
          List.of(
              series("fast disk", trial, moment -> mbps(moment, false)),
              series("all HDDs", trial, moment -> mbps(moment, true)));
      List<Series> load =
          List.of(
              series("cores waiting for disks", trial, moment -> 100 * moment.ioWait()),
              series("cores at work", trial, moment -> 100 * moment.cpu()),
              series("busiest HDD", trial, moment -> 100 * busiestHdd(moment)));
      List<Series> bytes =
          List.of(
              series("fast disk", trial, moment -> moment.tempBytes().fast()),
              series("all HDDs", trial, moment -> moment.tempBytes().slow()));
      markup
          .append(chart("Disks", trial, time, new Axis("bandwidth", "MB/s").upTo(mbps), disks))
          .append(chart("Load", trial, time, new Axis("load", "%").upTo(100), load))
          .append(
              chart(
                  "Temporary data",
                  trial,
                  time,
                  new Axis("in local dirs", "bytes").upTo(temp),
                  bytes))
          .append("</div>");
    }
    return markup.toString();
  }

  private static String chart(String title, Trial trial, Axis x, Axis y, List<Series> series) {
    List<Double> at = trial.moments().stream().map(NodeSample::seconds).toList();
    return new Chart(Kind.LINE, title, x, y, at, series).markup();
  }

  private static double mbps(NodeSample moment, boolean slow) {
    return moment.disks().entrySet().stream()
        .filter(disk -> WorkerNode.isHdd(disk.getKey()) == slow)
        .mapToDouble(disk -> disk.getValue().mbps())
        .sum();
  }

  private static double busiestHdd(NodeSample moment) {
    return moment.disks().entrySet().stream()
        .filter(disk -> WorkerNode.isHdd(disk.getKey()))
        .mapToDouble(disk -> disk.getValue().busy())
        .max()
        .orElse(0);
  }

  private static double most(List<Trial> trials, ToDoubleFunction<NodeSample> figure) {
    return trials.stream()
        .flatMap(trial -> trial.moments().stream())
        .mapToDouble(figure)
        .max()
        .orElse(1);
  }

  private static Series series(String name, Trial trial, ToDoubleFunction<NodeSample> figure) {
    return new Series(
        name, trial.moments().stream().map(moment -> figure.applyAsDouble(moment)).toList());
  }
}
