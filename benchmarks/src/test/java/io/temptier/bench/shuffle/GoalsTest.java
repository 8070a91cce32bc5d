// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.temptier.bench.report.Goal;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GoalsTest {
  private static final List<Arm> ARMS =
      List.of(
          Arms.of("stock", Scenario.ALL_FAST, 5, 1000, 500, 100),
          Arms.of("temptier", Scenario.ALL_FAST, 5, 900, 600, 50),
          Arms.of("stock", Scenario.MIXED, 500, 4),
          Arms.of("temptier", Scenario.MIXED, 8, 720, 480, 40),
          Arms.of("stock", Scenario.ALL_SLOW, 500, 40),
          Arms.of("temptier", Scenario.ALL_SLOW, 300, 44));

  @Test
  void eachGoalComparesTheRightArmsByTheirMedians() {
    List<Goal> goals = Goals.of(ARMS, "stock", "temptier", 2);
    assertEquals(
        List.of(
            "mixed-fast-rate 0.80 true",
            "mixed-fast-p999 8.00 true",
            "mixed-fast-p999-vs-stock 62.50 true",
            "all-fast-throughput 0.90 false",
            "all-slow-throughput 1.10 false"),
        goals.stream()
            .map(goal -> String.format("%s %.2f %b", goal.id(), goal.measured(), goal.met()))
            .toList());
  }

  @Test
  void fiveMillisecondsWhereThereAreEightCores() {
    assertFalse(Goals.of(ARMS, "stock", "temptier", 8).get(1).met(), "8 ms are too many");
  }

  @Test
  void withoutASlowDiskOnlyOneGoalIsMeasured() {
    List<Goal> goals = Goals.of(ARMS.subList(0, 2), "stock", "temptier", 2);
    for (Goal goal : goals) {
      if (goal.id().equals("all-fast-throughput")) {
        assertEquals(Double.valueOf(0.9), goal.measured());
      } else {
        assertNull(goal.measured(), goal.id());
        assertFalse(goal.met(), goal.id());
      }
    }
  }
}
