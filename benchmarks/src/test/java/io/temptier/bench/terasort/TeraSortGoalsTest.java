/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.terasort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentPlan;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.experiment.TrialsOf;
import io.temptier.bench.report.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class TeraSortGoalsTest {
  @Test
  void firstExperiment() {
    ExperimentPlan plan = plan(TeraSortExperiment.E1, 3);
    List<Trial> trials = new ArrayList<>();
    // hdd, mixed, nvme, temptier, ideal
    trials.addAll(TrialsOf.round(plan, "fits", 1, 200, 210, 96, 95, 94));
    trials.addAll(TrialsOf.round(plan, "fits", 2, 190, 210, 90, 96, 90));
    trials.addAll(TrialsOf.round(plan, "fits", 3, 210, 210, 91, 80, 80));
    Map<String, Goal> goals = goals(TrialsOf.result(plan, trials));
    expect(goals.get("e1-vs-hdd"), 95.0 / 200, true);
    expect(goals.get("e1-vs-ideal"), 95.0 / 90, false);
    // Slower than its median, not than its slowest.
    expect(goals.get("e1-vs-nvme-only"), 95.0 / 91, true);
  }

  @Test
  void secondExperimentCountsFailedTasksOfOursOnly() {
    ExperimentPlan plan = plan(TeraSortExperiment.E2, 1);
    List<Trial> trials = new ArrayList<>();
    for (String setting : List.of("1/2", "1/4")) {
      trials.add(TrialsOf.trial(setting, 1, Arm.STOCK_NVME_ONLY, 30, 13, false));
      trials.add(TrialsOf.trial(setting, 1, Arm.STOCK_MIXED, 100));
      trials.add(TrialsOf.trial(setting, 1, Arm.TEMPTIER, setting.equals("1/2") ? 79 : 99));
    }
    Map<String, Goal> goals = goals(TrialsOf.result(plan, trials));
    expect(goals.get("e2-failed-tasks"), 0, true);
    expect(goals.get("e2-vs-mixed"), 0.79, true);
    assertNull(goal(goals, "e2-vs-mergerfs").measured());
    trials.add(TrialsOf.trial("1/4", 2, Arm.TEMPTIER, 99, 2, true));
    expect(goals(TrialsOf.result(plan, trials)).get("e2-failed-tasks"), 2, false);
  }

  @Test
  void thirdExperimentNeedsEveryNode() {
    ExperimentPlan plan = plan(TeraSortExperiment.E3, 1);
    List<Trial> trials = new ArrayList<>();
    trials.addAll(TrialsOf.round(plan, "4 HDDs", 1, 100, 50));
    trials.addAll(TrialsOf.round(plan, "2 HDDs", 1, 150, 51));
    assertNull(goal(goals(TrialsOf.result(plan, trials)), "e3-flat").measured());
    trials.addAll(TrialsOf.round(plan, "1 HDD", 1, 300, 53));
    Map<String, Goal> goals = goals(TrialsOf.result(plan, trials));
    expect(goals.get("e3-flat"), 1.06, false);
    expect(goals.get("e3-hdd-doubles"), 3, true);
  }

  @Test
  void aFailedJobHasNoTime() {
    ExperimentPlan plan = plan(TeraSortExperiment.E1, 1);
    List<Trial> trials = new ArrayList<>(TrialsOf.round(plan, "fits", 1, 200, 210, 96));
    trials.add(TrialsOf.trial("fits", 1, Arm.TEMPTIER, 1, 4, false));
    Goal goal = goal(goals(TrialsOf.result(plan, trials)), "e1-vs-hdd");
    assertNull(goal.measured());
    assertFalse(goal.met());
  }

  private static ExperimentPlan plan(TeraSortExperiment experiment, int rounds) {
    return TrialsOf.plan(experiment.experiment(), new TeraSort(1_000_000, 32 << 20), rounds);
  }

  private static void expect(
      @org.jspecify.annotations.Nullable Goal goal, double measured, boolean met) {
    assertNotNull(goal);
    Double figure = goal.measured();
    assertNotNull(figure);
    assertEquals(measured, figure, 1e-9);
    assertEquals(met, goal.met(), goal.id());
  }

  private static Goal goal(Map<String, Goal> goals, String id) {
    Goal goal = goals.get(id);
    assertTrue(goal != null, id);
    return java.util.Objects.requireNonNull(goal);
  }

  private static Map<String, Goal> goals(ExperimentResult result) {
    return TeraSortGoals.of(result).stream()
        .collect(Collectors.toMap(Goal::id, Function.identity()));
  }
}
