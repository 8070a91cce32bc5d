// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.Trial;
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
    Plan plan = TrialsOf.plan("e2", 1);
    List<Trial> trials =
        List.of(
            TrialsOf.trial("1/2", 1, TrialsOf.STOCK_MIXED, 9, Map.of("busiestHdd", 1.6)),
            TrialsOf.trial("1/2", 1, TrialsOf.TEMPTIER, 9, Map.of("busiestHdd", 1.1)));
    TrialsOf.expectGoals(plan, trials, "e2-hdd-balance 1.100 true");
    TrialsOf.expectGoals(plan, List.of(), "e2-hdd-balance -");
    assertTrue(plan.workload().figures(plan).contains(HddBalance.FIGURE));
  }
}
