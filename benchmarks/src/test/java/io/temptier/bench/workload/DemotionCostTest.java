// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Experiment;
import io.temptier.bench.experiment.Experiments;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.jobs.TrialsOf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DemotionCostTest {
  private static final Experiment EXPERIMENT = Experiments.named("demotion", false);
  private static final Setting NODE = EXPERIMENT.settings().get(0);
  private static final Arm OFF = EXPERIMENT.arms().get(0);
  private static final Arm ON = EXPERIMENT.arms().get(1);

  private static final TrialOutcome SORTED =
      new TrialOutcome(
          true, "SUCCEEDED", 10, 0, 5, Map.of("SPILLED_DOWN_BYTES", 3L << 20), Map.of());

  @ParameterizedTest
  @ValueSource(longs = {600_000, 1_000_000, 3_000_000, 20_000_000})
  void theSortFillsTheFastDiskAboveTheHighMarkAndNotToWhereFilesSpill(long rows) {
    DemotionCost cost = new DemotionCost(rows, 40, 30);
    Plan plan = TrialsOf.plan(EXPERIMENT.with(cost), 1);
    double peak = (double) cost.volume().temp() / TrialsOf.fastBytes(plan, NODE);
    assertTrue(100 * peak > cost.highPercent() + 5, "peak " + peak);
    assertTrue(peak < 0.8, "peak " + peak);
    int maps = cost.sort().maps(NODE);
    assertTrue(maps >= 10 && maps <= 12, "maps " + maps);
  }

  @Test
  void whatTheNodeTellsIsAmongTheFigures() {
    TrialOutcome told = DemotionCost.judge(true, SORTED, 0.5, moved(2 << 20, 7));
    assertTrue(told.succeeded());
    assertEquals(
        Map.of("demotedMib", 2.0, "demotedFiles", 7.0, "peakFill", 0.5, "spilledMib", 3.0),
        told.figures());
  }

  @Test
  void aTrialThatMeasuresSomethingElseDoesNotCount() {
    assertEquals(
        "NOTHING DEMOTED: the fast disk was at most 50 % full, more rows fill it further",
        state(true, moved(0, 0)));
    assertEquals(
        "NOTHING DEMOTED: one tier only",
        state(true, JsonNodeFactory.instance.objectNode().put("off", "one tier only")));
    assertEquals("7 BYTES DEMOTED, with demotion off", state(false, moved(7, 1)));
    assertTrue(DemotionCost.judge(false, SORTED, 0.5, moved(0, 0)).succeeded());
    TrialOutcome retried = new TrialOutcome(true, "SUCCEEDED", 10, 2, 5, Map.of(), Map.of());
    assertFalse(DemotionCost.judge(true, retried, 0.5, moved(7, 1)).succeeded());
  }

  private static String state(boolean on, JsonNode moved) {
    TrialOutcome told = DemotionCost.judge(on, SORTED, 0.5, moved);
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
  void oneTrialThatDoesNotCountSpoilsTheRatio() {
    List<Trial> trials = new ArrayList<>();
    for (double seconds : new double[] {100, 104, 90}) {
      trials.add(TrialsOf.trial(NODE.name(), 1 + trials.size(), OFF, seconds));
      trials.add(TrialsOf.trial(NODE.name(), 1 + trials.size(), ON, seconds + 4));
    }
    TrialsOf.expectGoals(TrialsOf.plan(EXPERIMENT, 6), trials, "demotion-cost 1.040 true");
    trials.add(TrialsOf.trial(NODE.name(), 2, ON, 100, 0, false));
    TrialsOf.expectGoals(TrialsOf.plan(EXPERIMENT, 6), trials, "demotion-cost -");
  }
}
