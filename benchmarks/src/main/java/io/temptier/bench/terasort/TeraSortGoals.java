// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.terasort;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ArmResult;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.jobs.HddBalance;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.report.Goal;
import io.temptier.cli.report.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** What TempTier is to reach. Each is a ratio of medians within one run, or a count. */
final class TeraSortGoals {
  private final ExperimentResult result;

  private TeraSortGoals(ExperimentResult result) {
    this.result = result;
  }

  /** Holds what was measured against the goals of its experiment. */
  static List<Goal> of(ExperimentResult result) {
    TeraSortGoals goals = new TeraSortGoals(result);
    return TeraSortExperiment.of(result.plan().label())
        .map(
            experiment ->
                switch (experiment) {
                  case E1 -> goals.fits();
                  case E2 -> goals.scarce();
                  case E3 -> goals.fewerDisks();
                  case E4 -> goals.moreThreads();
                  case E7 -> goals.smallJobs();
                  case E8 -> goals.foreignData();
                })
        .orElse(List.of());
  }

  private List<Goal> fits() {
    String setting = "fits";
    return List.of(
        result.atMost("e1-vs-hdd", "data fits", setting, Arm.STOCK_HDD, 0.48),
        result.atMost("e1-vs-ideal", "data fits", setting, Arm.IDEAL, 1.03),
        result.noSlower(
            "e1-vs-nvme-only",
            "data fits: median no slower than stock-nvme-only's slowest round",
            setting,
            Arm.STOCK_NVME_ONLY));
  }

  private List<Goal> scarce() {
    String half = "1/2";
    return List.of(
        result.nothingFails(
            "e2-failed-tasks", "fast disk too small: no failed task, all output right"),
        result.atMost("e2-vs-mixed", "fast disk half of the data", half, Arm.STOCK_MIXED, 0.80),
        result.atMost("e2-vs-mergerfs", "fast disk half of the data", half, Arm.MERGERFS, 0.85),
        HddBalance.atMost(
            "e2-hdd-balance",
            "fast disk half of the data: the busiest HDD has at most 1.15x of their mean bytes",
            result,
            half,
            1.15));
  }

  private List<Goal> fewerDisks() {
    return List.of(
        Goal.atMost(
            "e3-flat",
            "4, 2, 1 HDDs: TempTier's slowest median at most 1.05x of its fastest",
            spread(Arm.TEMPTIER),
            1.05),
        Goal.atLeast(
            "e3-hdd-doubles",
            "4, 2, 1 HDDs: stock-hdd's slowest median at least 2x of its fastest",
            spread(Arm.STOCK_HDD),
            2));
  }

  private List<Goal> moreThreads() {
    List<Goal> goals = new ArrayList<>();
    for (NodeSetting setting : TeraSortExperiment.E4.settings()) {
      if (!result.plan().settings().contains(setting.name())) {
        continue;
      }
      goals.add(
          Goal.atMost(
              "e4-vs-hdd-" + setting.tasks(),
              setting.name() + ": no slower than stock-hdd",
              result.ratio(setting.name(), Arm.STOCK_HDD),
              1));
    }
    goals.add(
        result.nothingFails("e4-failed-tasks", "many threads: no failed task, all output right"));
    return goals;
  }

  private List<Goal> smallJobs() {
    String setting = result.setting();
    Sample beside = result.figure(setting, Arm.TEMPTIER, SmallJobs.RATIO);
    return List.of(
        Goal.atMost(
            "e7-small-jobs",
            "small jobs beside a giant one: at most 1.1x of running alone",
            beside == null ? null : beside.median(),
            1.1),
        result.noSlower(
            "e7-vs-mixed",
            "small jobs beside a giant one: median no slower than stock-mixed's slowest round",
            setting,
            Arm.STOCK_MIXED),
        result.nothingFails("e7-failed-tasks", "small jobs beside a giant one: no failed task"));
  }

  private List<Goal> foreignData() {
    String setting = result.setting();
    return List.of(
        result.nothingFails(
            "e8-failed-tasks", "fast disk full of others' data: no failed task, all output right"),
        result.noSlower(
            "e8-vs-hdd",
            "fast disk full of others' data: median no slower than stock-hdd's slowest round",
            setting,
            Arm.STOCK_HDD));
  }

  /** The slowest median by the fastest, where there are several nodes and every one has one. */
  private @Nullable Double spread(Arm arm) {
    List<ArmResult> all = result.arms().stream().filter(one -> one.arm().equals(arm)).toList();
    int nodes = result.plan().settings().size();
    if (nodes < 2 || all.size() < nodes || all.stream().anyMatch(one -> one.seconds() == null)) {
      return null;
    }
    OptionalDouble most = medians(all).max();
    OptionalDouble least = medians(all).min();
    return most.orElse(1) / least.orElse(1);
  }

  private static DoubleStream medians(List<ArmResult> arms) {
    return arms.stream()
        .flatMap(arm -> Optional.ofNullable(arm.seconds()).stream())
        .mapToDouble(Sample::median);
  }
}
