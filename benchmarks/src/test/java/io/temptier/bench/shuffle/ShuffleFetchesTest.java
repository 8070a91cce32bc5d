// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.bench.experiment.ExperimentJson;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.report.Goal;
import io.temptier.lab.testbed.DiskSpeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class ShuffleFetchesTest {
  private static final Plan PLAN = ShuffleResults.plan();

  private final List<Trial> trials = new ArrayList<>();

  @Test
  void aPassHasAtLeastOneMap() {
    assertEquals(16, new ShuffleFetches(1, 128 << 20, 0, 128).passMaps());
    assertEquals(1, new ShuffleFetches(1, 0, 0, 128).passMaps());
  }

  @Test
  void aSlowDiskCannotReadAllOutputsWhileItIsMeasured() {
    int maps = ShuffleFetches.enoughMaps(50, 128, new DiskSpeed(100, 40));
    assertTrue(
        (long) maps * 128 * ShuffleFetches.SEGMENT_BYTES > 50 * 100_000_000L, "maps=" + maps);
  }

  private void fastAlone() {
    trials.addAll(
        ShuffleResults.trials(ShuffleResults.STOCK, Scenario.ALL_FAST, 5, 1000, 500, 100));
    trials.addAll(ShuffleResults.trials(ShuffleResults.OURS, Scenario.ALL_FAST, 5, 900, 600, 50));
  }

  private void all() {
    fastAlone();
    trials.addAll(ShuffleResults.trials(ShuffleResults.STOCK, Scenario.MIXED, 500, 4));
    trials.addAll(ShuffleResults.trials(ShuffleResults.OURS, Scenario.MIXED, 8, 720, 480, 40));
    trials.addAll(ShuffleResults.trials(ShuffleResults.STOCK, Scenario.ALL_SLOW, 500, 40));
    trials.addAll(ShuffleResults.trials(ShuffleResults.OURS, Scenario.ALL_SLOW, 300, 44));
  }

  private List<Goal> goals() {
    return ShuffleResults.result(PLAN, trials).goals();
  }

  @Test
  void eachGoalComparesTheRightArmsRoundByRound() {
    all();
    assertEquals(
        List.of(
            "mixed-fast-rate 0.80 true",
            "mixed-fast-p999 8.00 true",
            "mixed-fast-p999-vs-stock 62.50 true",
            "all-fast-throughput 0.90 false",
            "all-slow-throughput 1.10 false"),
        goals().stream()
            .map(
                goal ->
                    String.format(
                        Locale.ROOT, "%s %.2f %b", goal.id(), goal.measured(), goal.met()))
            .toList());
  }

  @Test
  void withoutASlowDiskOnlyOneGoalIsMeasured() {
    fastAlone();
    for (Goal goal : goals()) {
      if (goal.id().equals("all-fast-throughput")) {
        assertEquals(Double.valueOf(0.9), goal.measured());
      } else {
        assertNull(goal.measured(), goal.id());
        assertFalse(goal.met(), goal.id());
      }
    }
  }

  @Test
  void programsAreToldMediansPeaksAndThePlan() {
    all();
    JsonNode root = ExperimentJson.of(ShuffleResults.result(PLAN, trials));
    JsonNode arm = root.path("arms").path(3);
    assertEquals("temptier", arm.path("name").asText());
    assertEquals("mixed", arm.path("setting").asText());
    assertEquals(480, arm.path("fetchesPerSecond").asDouble(), "the median of 3 rounds");
    assertEquals(48, arm.path("mbPerSecond").asDouble());
    assertEquals(8, arm.path("p999Millis").asDouble());
    assertEquals(720 << 20, arm.path("peakMemoryBytes").asLong(), "the most of any round");
    assertEquals(0.5, arm.path("slowMbPerSecond").asDouble());
    assertEquals(480, arm.path("slowDiskReadRequests").asDouble());
    assertEquals(180, arm.path("ofFirst").asDouble(), "the one round that both have");
    assertFalse(arm.has("failedTasks"), "there are no jobs");
    assertTrue(root.path("arms").path(0).path("slowMbPerSecond").isNull(), "none are beside them");
    assertEquals(100, root.path("trials").path(0).path("figures").path("fetches").asDouble());
    assertEquals(128 << 20, root.path("plan").path("workload").path("passSize").asLong());
    assertEquals("none: no root", root.path("facts").path("slow disk").asText());
  }

  private static String description(String scenario) {
    return PLAN.workload().description(PLAN, PLAN.experiment().setting(scenario));
  }

  @Test
  void peopleAreToldWhatAScenarioIs() {
    String lead = PLAN.workload().lead(PLAN);
    assertTrue(lead.startsWith("4 fetchers on the fast disk, 8 on the slow one"), lead);
    String slow = description("all-slow");
    assertTrue(
        slow.endsWith("every segment fetched exactly once, cold: 128 MiB by 8 fetchers"), slow);
    String mixed = description("mixed");
    assertTrue(mixed.endsWith(": 7.5 s after 1.875 s of warm-up"), mixed);
  }
}
