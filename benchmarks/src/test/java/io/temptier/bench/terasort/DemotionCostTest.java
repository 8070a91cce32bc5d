// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.terasort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.jobs.JobPlan;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.jobs.TrialsOf;
import io.temptier.bench.report.Goal;
import io.temptier.bench.terasort.DemotionCommand.DemotionCost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DemotionCostTest {
  private static final NodeSetting NODE = DemotionCost.experiment(1).settings().get(0);

  private static final TrialOutcome SORTED =
      new TrialOutcome(
          true, "SUCCEEDED", 10, 0, 5, Map.of("SPILLED_DOWN_BYTES", 3L << 20), Map.of());

  @ParameterizedTest
  @ValueSource(longs = {600_000, 1_000_000, 3_000_000, 20_000_000})
  void theSortFillsTheFastDiskAboveTheHighMarkAndNotToWhereFilesSpill(long rows) {
    DemotionCost cost = DemotionCost.of(rows);
    JobPlan plan = TrialsOf.plan(DemotionCost.experiment(rows), 1);
    double peak = (double) cost.tempBytes() / plan.node(NODE).fastBytes();
    assertTrue(100 * peak > cost.highPercent() + 5, "peak " + peak);
    assertTrue(peak < 0.8, "peak " + peak);
    int maps = cost.sort().maps(NODE);
    assertTrue(maps >= 10 && maps <= 12, "maps " + maps);
  }

  @Test
  void armsDifferInDemotionAlone() {
    assertEquals(DemotionCost.OFF.disks(), DemotionCost.ON.disks());
    assertEquals(Map.of("temptier.demotion.enabled", "false"), DemotionCost.OFF.properties());
    assertEquals(Map.of("temptier.demotion.enabled", "true"), DemotionCost.ON.properties());
    assertTrue(DemotionCost.OFF.tiered() && DemotionCost.ON.tiered());
  }

  @Test
  void whatTheNodeTellsIsAmongTheFigures() {
    TrialOutcome told = DemotionCost.judge(DemotionCost.ON, SORTED, 0.5, moved(2 << 20, 7));
    assertTrue(told.succeeded());
    assertEquals(
        Map.of("demotedMib", 2.0, "demotedFiles", 7.0, "peakFill", 0.5, "spilledMib", 3.0),
        told.figures());
  }

  @Test
  void aTrialThatMeasuresSomethingElseDoesNotCount() {
    assertEquals(
        "NOTHING DEMOTED: the fast disk was at most 50 % full, more --rows fill it further",
        state(DemotionCost.ON, moved(0, 0)));
    assertEquals(
        "NOTHING DEMOTED: one tier only",
        state(DemotionCost.ON, JsonNodeFactory.instance.objectNode().put("off", "one tier only")));
    assertEquals("7 BYTES DEMOTED, with demotion off", state(DemotionCost.OFF, moved(7, 1)));
    assertTrue(DemotionCost.judge(DemotionCost.OFF, SORTED, 0.5, moved(0, 0)).succeeded());
    TrialOutcome retried = new TrialOutcome(true, "SUCCEEDED", 10, 2, 5, Map.of(), Map.of());
    assertFalse(DemotionCost.judge(DemotionCost.ON, retried, 0.5, moved(7, 1)).succeeded());
  }

  private static String state(Arm arm, JsonNode moved) {
    TrialOutcome told = DemotionCost.judge(arm, SORTED, 0.5, moved);
    assertFalse(told.succeeded());
    return told.state();
  }

  private static JsonNode moved(long bytes, long files) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("BytesDemoted", bytes)
        .put("FilesDemoted", files);
  }

  @Test
  void mediansAreCompared() {
    Goal met = cost(100, 500, 100, 104, 90, 102);
    assertEquals(1.04, met.measured());
    assertTrue(met.met());
    assertFalse(cost(100, 105.1).met());
  }

  @Test
  void oneTrialThatDoesNotCountSpoilsTheRatio() {
    List<Trial> trials = trials(100, 100);
    trials.add(TrialsOf.trial(NODE.name(), 2, DemotionCost.ON, 100, 0, false));
    assertNull(goals(trials).get(0).measured());
  }

  /** Of as many rounds as there are pairs of seconds, first without demotion, then with. */
  private static Goal cost(double... seconds) {
    return goals(trials(seconds)).get(0);
  }

  private static List<Trial> trials(double... seconds) {
    List<Trial> trials = new ArrayList<>();
    for (int i = 0; i < seconds.length; i++) {
      Arm arm = i % 2 == 0 ? DemotionCost.OFF : DemotionCost.ON;
      trials.add(TrialsOf.trial(NODE.name(), 1 + i / 2, arm, seconds[i]));
    }
    return trials;
  }

  private static List<Goal> goals(List<Trial> trials) {
    JobPlan plan = TrialsOf.plan(DemotionCost.experiment(1_000_000), trials.size());
    ExperimentResult result = TrialsOf.result(plan, trials);
    return result.goals();
  }
}
