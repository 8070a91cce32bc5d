// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.terasort;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.jobs.JobPlan;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.jobs.TrialsOf;
import io.temptier.bench.report.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TeraSortExperimentTest {
  @Test
  void firstExperiment() {
    JobPlan plan = plan(TeraSortExperiment.E1, 3);
    List<Trial> trials = new ArrayList<>();
    // hdd, mixed, nvme, temptier, ideal
    trials.addAll(TrialsOf.round(plan, "fits", 1, 200, 210, 96, 95, 94));
    trials.addAll(TrialsOf.round(plan, "fits", 2, 190, 210, 90, 96, 90));
    trials.addAll(TrialsOf.round(plan, "fits", 3, 210, 210, 91, 80, 80));
    // Slower than the median of NVMe only, not than its slowest.
    TrialsOf.expectGoals(
        plan,
        trials,
        "e1-vs-hdd 0.475 true",
        "e1-vs-ideal 1.056 false",
        "e1-vs-nvme-only 1.044 true");
  }

  @Test
  void secondExperimentCountsFailedTasksOfOursOnly() {
    JobPlan plan = plan(TeraSortExperiment.E2, 1);
    List<Trial> trials = new ArrayList<>();
    for (String setting : List.of("1/2", "1/4")) {
      trials.add(TrialsOf.trial(setting, 1, Arm.STOCK_NVME_ONLY, 30, 13, false));
      trials.add(TrialsOf.trial(setting, 1, Arm.STOCK_MIXED, 100));
      trials.add(TrialsOf.trial(setting, 1, Arm.TEMPTIER, setting.equals("1/2") ? 79 : 99));
    }
    TrialsOf.expectGoals(
        plan, trials, "e2-failed-tasks 0.000 true", "e2-vs-mixed 0.790 true", "e2-vs-mergerfs -");
    trials.add(TrialsOf.trial("1/4", 2, Arm.TEMPTIER, 99, 2, true));
    TrialsOf.expectGoals(plan, trials, "e2-failed-tasks 2.000 false");
  }

  @Test
  void thirdExperimentNeedsEveryNode() {
    JobPlan plan = plan(TeraSortExperiment.E3, 1);
    List<Trial> trials = new ArrayList<>();
    trials.addAll(TrialsOf.round(plan, "4 HDDs", 1, 100, 50));
    trials.addAll(TrialsOf.round(plan, "2 HDDs", 1, 150, 51));
    TrialsOf.expectGoals(plan, trials, "e3-flat -");
    trials.addAll(TrialsOf.round(plan, "1 HDD", 1, 300, 53));
    TrialsOf.expectGoals(plan, trials, "e3-flat 1.060 false", "e3-hdd-doubles 3.000 true");
  }

  @Test
  void fourthExperimentHoldsEveryNumberOfThreadsAgainstHdds() {
    JobPlan plan = plan(TeraSortExperiment.E4, 1);
    List<Trial> trials = new ArrayList<>();
    trials.addAll(TrialsOf.round(plan, "1.67 per HDD", 1, 100, 50));
    trials.addAll(TrialsOf.round(plan, "14 per HDD", 1, 100, 101));
    TrialsOf.expectGoals(
        plan,
        trials,
        "e4-vs-hdd-5 0.500 true",
        "e4-vs-hdd-14 1.010 false",
        "e4-vs-hdd-10 -",
        "e4-failed-tasks 0.000 true");
  }

  @Test
  void seventhExperimentHoldsSmallJobsAgainstThemselvesAlone() {
    JobPlan plan = plan(TeraSortExperiment.E7, 1);
    List<Trial> trials = new ArrayList<>();
    trials.add(small(1, Arm.STOCK_MIXED, 60, 3));
    trials.add(small(2, Arm.STOCK_MIXED, 40, 2));
    trials.add(small(1, Arm.TEMPTIER, 58, 1.05));
    trials.add(small(2, Arm.TEMPTIER, 54, 1.25));
    TrialsOf.expectGoals(plan, trials, "e7-small-jobs 1.150 false", "e7-vs-mixed 1.120 true");
  }

  private static Trial small(int round, Arm arm, double seconds, double ratio) {
    return TrialsOf.trial("two queues", round, arm, seconds, Map.of(SmallJobs.RATIO, ratio));
  }

  @Test
  void eighthExperimentAllowsTheSpreadOfHdds() {
    JobPlan plan = plan(TeraSortExperiment.E8, 1);
    List<Trial> trials = new ArrayList<>();
    trials.add(TrialsOf.trial("95 % full", 1, Arm.STOCK_HDD, 100));
    trials.add(TrialsOf.trial("95 % full", 2, Arm.STOCK_HDD, 110));
    trials.add(TrialsOf.trial("95 % full", 1, Arm.TEMPTIER, 110));
    TrialsOf.expectGoals(plan, trials, "e8-vs-hdd 1.048 true");
    trials.add(TrialsOf.trial("95 % full", 2, Arm.TEMPTIER, 111, 1, true));
    TrialsOf.expectGoals(plan, trials, "e8-vs-hdd 1.052 false", "e8-failed-tasks 1.000 false");
  }

  @Test
  void aQuickRunHasAllItsGoals() {
    for (TeraSortExperiment one : TeraSortExperiment.values()) {
      List<Trial> trials = new ArrayList<>();
      JobPlan plan = TrialsOf.plan(one.quick(TeraSort.tiny()), 1);
      for (NodeSetting setting : plan.experiment().settings()) {
        for (Arm arm : plan.arms()) {
          Map<String, Double> figures = Map.of(SmallJobs.RATIO, 1.0, "busiestHdd", 1.1);
          trials.add(TrialsOf.trial(setting.name(), 1, arm, 10, figures));
        }
      }
      for (Goal goal : TrialsOf.result(plan, trials).goals()) {
        boolean needsMergerfs = goal.id().equals("e2-vs-mergerfs");
        assertEquals(needsMergerfs, goal.measured() == null, goal.id());
      }
    }
  }

  @Test
  void aFailedJobHasNoTime() {
    JobPlan plan = plan(TeraSortExperiment.E1, 1);
    List<Trial> trials = new ArrayList<>(TrialsOf.round(plan, "fits", 1, 200, 210, 96));
    trials.add(TrialsOf.trial("fits", 1, Arm.TEMPTIER, 1, 4, false));
    TrialsOf.expectGoals(plan, trials, "e1-vs-hdd -");
  }

  private static JobPlan plan(TeraSortExperiment experiment, int rounds) {
    return TrialsOf.plan(experiment.experiment(TeraSort.of(1_000_000, 32 << 20)), rounds);
  }
}
