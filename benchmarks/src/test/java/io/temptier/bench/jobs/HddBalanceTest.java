// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.report.Goal;
import io.temptier.lab.testbed.DiskTraffic;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HddBalanceTest {
  private static DiskTraffic moved(long read, long written) {
    return new DiskTraffic(1, read, 1, written, 1);
  }

  @Test
  void theBusiestIsHeldAgainstTheMean() {
    Map<String, DiskTraffic> traffic =
        Map.of("nvme0", moved(900, 900), "hdd0", moved(10, 20), "hdd1", moved(60, 0));
    assertEquals(Map.of("busiestHdd", 60 / 45.0), HddBalance.of(traffic));
    assertEquals(Map.of(), HddBalance.of(Map.of("hdd0", moved(1, 1))), "nothing to compare");
    assertEquals(Map.of(), HddBalance.of(Map.of("hdd0", moved(0, 0), "hdd1", moved(0, 0))));
  }

  @Test
  void theGoalIsTempTiersMedian() {
    JobPlan plan = TrialsOf.plan(TrialsOf.SCARCE, 1);
    List<Trial> trials =
        List.of(
            TrialsOf.trial("1/2", 1, Arm.STOCK_MIXED, 9, Map.of("busiestHdd", 1.6)),
            TrialsOf.trial("1/2", 1, Arm.TEMPTIER, 9, Map.of("busiestHdd", 1.1)));
    ExperimentResult result = TrialsOf.result(plan, trials);
    Goal goal = result.figureAtMost("even", "even HDDs", "1/2", "busiestHdd", 1.15);
    assertEquals(1.1, goal.measured());
    assertTrue(goal.met());
    goal = result.figureAtMost("even", "even HDDs", "1/4", "busiestHdd", 1.15);
    assertNull(goal.measured());
    assertFalse(goal.met());
    assertTrue(plan.figures().contains(HddBalance.FIGURE));
  }
}
