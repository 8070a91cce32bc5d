// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.experiment.GoalSpec.Goal;
import io.temptier.bench.report.MachineFacts;
import io.temptier.bench.workload.TrialsOf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GoalsTest {
  @Test
  void firstExperiment() {
    Plan plan = TrialsOf.plan("e1", 3);
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
    Plan plan = TrialsOf.plan("e2", 1);
    List<Trial> trials = new ArrayList<>();
    for (String setting : List.of("1/2", "1/4")) {
      trials.add(TrialsOf.trial(setting, 1, TrialsOf.STOCK_NVME_ONLY, 30, 13, false));
      trials.add(TrialsOf.trial(setting, 1, TrialsOf.STOCK_MIXED, 100));
      trials.add(TrialsOf.trial(setting, 1, TrialsOf.TEMPTIER, setting.equals("1/2") ? 79 : 99));
    }
    TrialsOf.expectGoals(
        plan, trials, "e2-failed-tasks 0.000 true", "e2-vs-mixed 0.790 true", "e2-vs-mergerfs -");
    trials.add(TrialsOf.trial("1/4", 2, TrialsOf.TEMPTIER, 99, 2, true));
    TrialsOf.expectGoals(plan, trials, "e2-failed-tasks 2.000 false");
  }

  @Test
  void thirdExperimentNeedsEveryNode() {
    Plan plan = TrialsOf.plan("e3", 1);
    List<Trial> trials = new ArrayList<>();
    trials.addAll(TrialsOf.round(plan, "4 HDDs", 1, 100, 50));
    trials.addAll(TrialsOf.round(plan, "2 HDDs", 1, 150, 51));
    TrialsOf.expectGoals(plan, trials, "e3-flat -");
    trials.addAll(TrialsOf.round(plan, "1 HDD", 1, 300, 53));
    TrialsOf.expectGoals(plan, trials, "e3-flat 1.060 false", "e3-hdd-doubles 3.000 true");
  }

  @Test
  void aQuickRunHasAllItsGoals() {
    Map<String, Double> figures =
        Stream.of(
                "smallBesidePerAlone",
                "busiestHdd",
                "hddMib",
                "containerCpu",
                "writeBesideMbps",
                "readBesideMbps")
            .collect(Collectors.toMap(figure -> figure, figure -> 1.0));
    for (String one : Experiments.names()) {
      if (List.of("shuffle", "s3a", "demotion").contains(one)) {
        continue;
      }
      List<Trial> trials = new ArrayList<>();
      Plan plan = TrialsOf.plan(Experiments.named(one, true), 1);
      for (Setting setting : plan.experiment().settings()) {
        for (Arm arm : plan.experiment().arms()) {
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
    Plan plan = TrialsOf.plan("e1", 1);
    List<Trial> trials = new ArrayList<>(TrialsOf.round(plan, "fits", 1, 200, 210, 96));
    trials.add(TrialsOf.trial("fits", 1, TrialsOf.TEMPTIER, 1, 4, false));
    TrialsOf.expectGoals(plan, trials, "e1-vs-hdd -");
  }

  @Test
  void besideASortRatesAreCompared() {
    Map<String, Double> ours = Map.of("writeBesideMbps", 6.0, "readBesideMbps", 9.0);
    // The stock sort ended before the files were read.
    TrialsOf.expectGoals(
        TrialsOf.plan("e5", 1),
        List.of(
            TrialsOf.trial("two queues", 1, TrialsOf.STOCK_HDD, 10, Map.of("writeBesideMbps", 4.0)),
            TrialsOf.trial("two queues", 1, TrialsOf.TEMPTIER, 10, ours)),
        "e5-write 1.500 true",
        "e5-read -");
  }

  @Test
  void whatWasNotMeasuredIsNeitherMetNorMissed() {
    String markup =
        Goal.table(
                List.of(
                    Goal.of("a", "first", "x", Double.NaN, false),
                    Goal.of("b", "second", "x", 2.0, false),
                    Goal.of("c", "third", "x", 2.0, true)))
            .markup();
    assertTrue(markup.contains("not measured"), markup);
    assertTrue(markup.contains("✗ missed<") && markup.contains("✓ met<"), markup);
    assertFalse(markup.contains("null"), markup);
  }

  @ParameterizedTest
  @CsvSource({"1.01 0.20 0.10, true", "1.00 2.00 2.00, false", "unknown, false"})
  void figuresAreDoubtedOnABusyMachine(String load, boolean doubted) {
    Map<String, String> facts = Map.of("cores", "2", MachineFacts.LOAD_BEFORE, load);
    assertEquals(doubted ? List.of("machine was busy") : List.of(), MachineFacts.doubts(facts));
  }
}
