// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.terasort;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.jobs.Experiment;
import io.temptier.bench.jobs.HddBalance;
import io.temptier.bench.jobs.JobWorkload;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.report.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/** A question that TeraSort answers, and what TempTier is to reach. */
enum TeraSortExperiment {
  /** The published figure: temporary data on one fast disk against HDDs. */
  E1(
      "Temporary data fits the fast disk",
      Arm.USUAL,
      List.of(NodeSetting.of("fits", 3, NodeSetting.FITS)),
      result ->
          List.of(
              result.atMost("e1-vs-hdd", "data fits", "fits", Arm.STOCK_HDD, 0.48),
              result.atMost("e1-vs-ideal", "data fits", "fits", Arm.IDEAL, 1.03),
              result.noSlower("e1-vs-nvme-only", "data fits", "fits", Arm.STOCK_NVME_ONLY))),

  /** What happens when it does not. */
  E2(
      "The fast disk is a half and a quarter of the temporary data",
      Arm.ALL,
      List.of(NodeSetting.of("1/2", 3, 0.5), NodeSetting.of("1/4", 3, 0.25)),
      result ->
          List.of(
              result.nothingFails(
                  "e2-failed-tasks", "fast disk too small: no failed task, all output right"),
              result.atMost(
                  "e2-vs-mixed", "fast disk half of the data", "1/2", Arm.STOCK_MIXED, 0.80),
              result.atMost(
                  "e2-vs-mergerfs", "fast disk half of the data", "1/2", Arm.MERGERFS, 0.85),
              result.figureAtMost(
                  "e2-hdd-balance",
                  "fast disk half of the data: the busiest HDD has at most 1.15x of their mean"
                      + " bytes",
                  "1/2",
                  HddBalance.FIGURE.name(),
                  1.15))),

  /** How many HDDs a node still needs. */
  E3(
      "Fewer HDDs",
      List.of(Arm.STOCK_HDD, Arm.TEMPTIER),
      List.of(
          NodeSetting.of("4 HDDs", 4, NodeSetting.FITS),
          NodeSetting.of("2 HDDs", 2, NodeSetting.FITS),
          NodeSetting.of("1 HDD", 1, NodeSetting.FITS)),
      result ->
          List.of(
              Goal.atMost(
                  "e3-flat",
                  "4, 2, 1 HDDs: TempTier's slowest median at most 1.05x of its fastest",
                  result.spread(Arm.TEMPTIER),
                  1.05),
              Goal.atLeast(
                  "e3-hdd-doubles",
                  "4, 2, 1 HDDs: stock-hdd's slowest median at least 2x of its fastest",
                  result.spread(Arm.STOCK_HDD),
                  2))),

  /** What more tasks at once do to the arms of the disks. */
  E4(
      "More threads per HDD",
      List.of(Arm.STOCK_HDD, Arm.TEMPTIER),
      List.of(
          NodeSetting.of("1.67 per HDD", 3, NodeSetting.FITS),
          NodeSetting.of("3.33 per HDD", 3, NodeSetting.FITS).withTasks(10),
          // On three HDDs these would be 42 tasks: more JVMs than two cores start in a minute.
          NodeSetting.of("14 per HDD", 1, NodeSetting.FITS).withTasks(14)),
      TeraSortExperiment::moreThreads),

  E7(
      "Small jobs beside a giant one",
      List.of(Arm.STOCK_MIXED, Arm.TEMPTIER),
      List.of(NodeSetting.of("two queues", 3, 0.5).withTasks(BesideGiant.TASKS)),
      result ->
          List.of(
              result.figureAtMost(
                  "e7-small-jobs",
                  "small jobs beside a giant one: at most 1.1x of running alone",
                  result.setting(),
                  SmallJobs.RATIO,
                  1.1),
              result.noSlower(
                  "e7-vs-mixed",
                  "small jobs beside a giant one",
                  result.setting(),
                  Arm.STOCK_MIXED),
              result.nothingFails(
                  "e7-failed-tasks", "small jobs beside a giant one: no failed task"))),

  /** Whether a fast disk without room is worse than none. */
  E8(
      "The fast disk is almost full of somebody else's data",
      List.of(Arm.STOCK_HDD, Arm.STOCK_MIXED, Arm.TEMPTIER),
      List.of(NodeSetting.of("95 % full", 3, 1).withForeign(0.95)),
      result ->
          List.of(
              result.nothingFails(
                  "e8-failed-tasks",
                  "fast disk full of others' data: no failed task, all output right"),
              result.noSlower(
                  "e8-vs-hdd", "fast disk full of others' data", result.setting(), Arm.STOCK_HDD)));

  /** Rows of a small job: 10 MB. */
  private static final long SMALL_ROWS = 100_000;

  private final String question;
  private final List<Arm> arms;
  private final List<NodeSetting> settings;
  private final Function<ExperimentResult, List<Goal>> goals;

  TeraSortExperiment(
      String question,
      List<Arm> arms,
      List<NodeSetting> settings,
      Function<ExperimentResult, List<Goal>> goals) {
    this.question = question;
    this.arms = arms;
    this.settings = settings;
    this.goals = goals;
  }

  private static List<Goal> moreThreads(ExperimentResult result) {
    List<Goal> goals = new ArrayList<>();
    for (NodeSetting setting : E4.settings) {
      if (result.plan().settings().contains(setting.name())) {
        goals.add(
            Goal.atMost(
                "e4-vs-hdd-" + setting.tasks(),
                setting.name() + ": no slower than stock-hdd",
                result.ratio(setting.name(), Arm.STOCK_HDD),
                1));
      }
    }
    goals.add(
        result.nothingFails("e4-failed-tasks", "many threads: no failed task, all output right"));
    return goals;
  }

  /** Holds what was measured against the goals of its experiment; a baseline has none. */
  static List<Goal> goals(ExperimentResult result) {
    return Stream.of(values())
        .filter(one -> one.label().equals(result.plan().label()))
        .flatMap(one -> one.goals.apply(result).stream())
        .toList();
  }

  Experiment experiment(TeraSort sort) {
    JobWorkload workload =
        this == E7 ? new SmallJobs(sort, TeraSort.of(SMALL_ROWS, sort.maxBlockBytes())) : sort;
    return new Experiment("terasort", label(), question, settings, arms, workload);
  }

  /**
   * The same with fewer nodes and arms, as many as its goals need, and with half as much data where
   * many tasks have one HDD.
   */
  Experiment quick(TeraSort sort) {
    boolean less = this == E4;
    Experiment whole = experiment(less ? TeraSort.of(sort.rows() / 2, sort.maxBlockBytes()) : sort);
    List<NodeSetting> all = settings;
    List<Arm> fewest = List.of(Arm.STOCK_HDD, Arm.TEMPTIER);
    return switch (this) {
      case E1 ->
          whole.only(all, List.of(Arm.STOCK_HDD, Arm.STOCK_NVME_ONLY, Arm.TEMPTIER, Arm.IDEAL));
      case E2 ->
          whole.only(
              all.subList(0, 1),
              List.of(Arm.STOCK_MIXED, Arm.STOCK_NVME_ONLY, Arm.MERGERFS, Arm.TEMPTIER));
      case E3 -> whole.only(List.of(all.get(0), all.get(2)), fewest);
      case E4 -> whole.only(all.subList(2, 3), fewest);
      case E7 -> whole;
      case E8 -> whole.only(all, fewest);
    };
  }

  private String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
