// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.experiment.Figure.Sample;
import io.temptier.bench.experiment.GoalSpec.Goal;
import io.temptier.bench.experiment.NodeSample.DiskRate;
import io.temptier.bench.report.Chart;
import io.temptier.bench.report.Chart.Axis;
import io.temptier.bench.report.Chart.Kind;
import io.temptier.bench.report.Chart.Series;
import io.temptier.bench.report.DataTable;
import io.temptier.bench.report.Figures;
import io.temptier.bench.report.MachineFacts;
import io.temptier.bench.report.Page;
import io.temptier.cli.Table;
import io.temptier.lab.node.WorkerNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The result as a page of charts and tables; the tables are those of terminals, too. */
public final class ExperimentReport {
  private ExperimentReport() {}

  static String of(ExperimentResult result) throws IOException {
    Plan plan = result.plan();
    Page page = new Page("TempTier " + plan.title());
    List<Goal> goals = result.goals();
    page.head(
        plan.title(),
        Goal.badge(goals, MachineFacts.doubts(result.facts())),
        "%s. %s of %s trials made, every output checked."
            .formatted(plan.workload().lead(plan), result.trials().size(), plan.trials()));
    plan.skipped().forEach(line -> page.note("Skipped: " + line));
    result.trials().stream()
        .filter(trial -> !trial.counts())
        .forEach(trial -> page.note("Does not count: " + trial.id() + ": " + trial.state()));
    page.section("Goals", "Ratios within this run.", Goal.table(goals).markup());
    for (String setting : plan.settings()) {
      List<ArmResult> arms =
          result.arms().stream().filter(arm -> arm.setting().equals(setting)).toList();
      if (!arms.isEmpty()) {
        setting(page, result, setting, arms);
      }
    }
    return page.facts(result.facts()).html();
  }

  private static void setting(
      Page page, ExperimentResult result, String setting, List<ArmResult> arms) {
    Plan plan = result.plan();
    Figure compared = plan.compared();
    boolean time = compared.equals(Figure.SECONDS);
    String description = plan.description(setting);
    page.section(
        (time ? "How long it took" : compared.title()) + ": " + setting,
        "Median, with every round as a dot. %s%s. Arms: %s."
            .formatted(
                description.substring(0, 1).toUpperCase(Locale.ROOT),
                description.substring(1),
                arms.stream()
                    .map(arm -> arm.arm().label() + " (" + arm.arm().explanation() + ")")
                    .collect(Collectors.joining(", "))),
        bars(compared, time ? new Axis("time", "s") : axis(compared.title()), arms)
            + armTable(result, arms).markup()
            + figureTable(arms, plan.figures()).markup());
    if (arms.stream().anyMatch(arm -> !arm.typical().moments().isEmpty())) {
      page.section(
          "What disks and cores did: " + setting,
          "The median round of each arm, second by second, all on the same axes. An HDD's load is"
              + " the share of the bytes or requests that it may do, or, of a disk as it is, of the"
              + " time in which it was at work; that of the busiest HDD is shown.",
          lines(arms.stream().map(ArmResult::typical).toList()));
    }
  }

  private static String bars(Figure compared, Axis axis, List<ArmResult> arms) {
    List<@Nullable Double> medians = new ArrayList<>();
    List<List<Double>> rounds = new ArrayList<>();
    for (ArmResult arm : arms) {
      Sample values = arm.figure(compared.name());
      medians.add(values.median() / compared.unit());
      rounds.add(values.sorted().stream().map(value -> value / compared.unit()).toList());
    }
    List<String> colours = arms.stream().map(arm -> arm.arm().colour()).toList();
    return new Chart(
            Kind.BARS,
            "Each arm",
            new Axis("arm", ""),
            axis,
            arms.stream().map(arm -> arm.arm().label()).toList(),
            List.of(new Series("median", colours, medians, rounds)))
        .markup();
  }

  private static Axis axis(String title) {
    int comma = title.lastIndexOf(", ");
    return comma < 0
        ? new Axis(title, "")
        : new Axis(title.substring(0, comma), title.substring(comma + 2));
  }

  private static String lines(List<Trial> shown) {
    ToDoubleFunction<NodeSample> fast = moment -> mbps(moment, false);
    ToDoubleFunction<NodeSample> slow = moment -> mbps(moment, true);
    ToDoubleFunction<NodeSample> more =
        moment -> Math.max(fast.applyAsDouble(moment), slow.applyAsDouble(moment));
    Axis time = new Axis("since the job was submitted", "s").upTo(most(shown, NodeSample::seconds));
    Axis bandwidth = new Axis("bandwidth", "MB/s").upTo(most(shown, more));
    Axis load = new Axis("load", "%").upTo(100);
    Axis bytes = new Axis("in local dirs", "bytes").upTo(most(shown, one -> one.tempBytes().all()));
    StringBuilder markup = new StringBuilder();
    for (Trial trial : shown) {
      String arm = Page.escape(trial.id().arm().label());
      markup.append("<h3>").append(arm).append("</h3><div class=\"triple\">");
      Series disk = series("fast disk", trial, fast);
      Series hdds = series("all HDDs", trial, slow);
      markup.append(chart("Disks", trial, time, bandwidth, disk, hdds));
      Series waiting = series("cores waiting for disks", trial, one -> 100 * one.ioWait());
      Series working = series("cores at work", trial, one -> 100 * one.cpu());
      Series busiest = series("busiest HDD", trial, one -> 100 * busiestHdd(one));
      markup.append(chart("Load", trial, time, load, waiting, working, busiest));
      Series above = series("fast disk", trial, one -> one.tempBytes().fast());
      Series below = series("all HDDs", trial, one -> one.tempBytes().slow());
      markup.append(chart("Temporary data", trial, time, bytes, above, below)).append("</div>");
    }
    return markup.toString();
  }

  private static String chart(String title, Trial trial, Axis x, Axis y, Series... series) {
    List<Double> at = trial.moments().stream().map(NodeSample::seconds).toList();
    return new Chart(Kind.LINE, title, x, y, at, List.of(series)).markup();
  }

  private static double mbps(NodeSample moment, boolean slow) {
    return rates(moment, slow).mapToDouble(DiskRate::mbps).sum();
  }

  private static double busiestHdd(NodeSample moment) {
    return rates(moment, true).mapToDouble(DiskRate::busy).max().orElse(0);
  }

  private static Stream<DiskRate> rates(NodeSample moment, boolean slow) {
    return moment.disks().entrySet().stream()
        .filter(disk -> WorkerNode.isHdd(disk.getKey()) == slow)
        .map(Map.Entry::getValue);
  }

  private static double most(List<Trial> trials, ToDoubleFunction<NodeSample> figure) {
    return trials.stream()
        .flatMap(trial -> trial.moments().stream())
        .mapToDouble(figure)
        .max()
        .orElse(1);
  }

  private static Series series(String name, Trial trial, ToDoubleFunction<NodeSample> figure) {
    return new Series(name, trial.moments().stream().map(figure::applyAsDouble).toList());
  }

  static DataTable<ArmResult> armTable(ExperimentResult result, List<ArmResult> arms) {
    Plan plan = result.plan();
    Figure compared = plan.compared();
    Table<ArmResult> columns =
        named(arms)
            .add(">Median, " + compared.title(), arm -> text(arm, compared, Sample::median))
            .wide(">Least", arm -> text(arm, compared, Sample::min))
            .wide(">Most", arm -> text(arm, compared, Sample::max))
            .add(">Of the first", arm -> Figures.text(result.ofFirst(arm), 2))
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
          .wide(">HDD traffic", arm -> arm.bytes(Trial::hddBytes));
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
    return Figures.text(of.applyAsDouble(arm.figure(figure.name())));
  }

  /** Medians of the workload's own figures, of the arms that have any of them. */
  static DataTable<ArmResult> figureTable(List<ArmResult> arms, List<Figure> figures) {
    Table<ArmResult> columns = named(arms);
    List<Figure> measured =
        figures.stream().filter(figure -> arms.stream().anyMatch(arm -> has(arm, figure))).toList();
    measured.forEach(figure -> columns.add(">" + figure.title(), arm -> text(arm, figure)));
    List<ArmResult> having =
        arms.stream().filter(arm -> measured.stream().anyMatch(one -> has(arm, one))).toList();
    return new DataTable<>(columns, having, "");
  }

  private static boolean has(ArmResult arm, Figure figure) {
    return !arm.figure(figure.name()).sorted().isEmpty();
  }

  /** Requests and other counts without digits after the point. */
  private static String text(ArmResult arm, Figure figure) {
    double value = figure.of(arm.figure(figure.name())) / figure.unit();
    return value == Math.rint(value) ? Figures.text(value, 0) : Figures.text(value);
  }
}
