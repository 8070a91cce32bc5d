// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.tez;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ResultFolder;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.jobs.JobPlan;
import io.temptier.bench.jobs.TrialsOf;
import io.temptier.bench.tez.TezCommand.TezRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TezCommandTest {
  private final JobPlan plan = TrialsOf.plan(TezCommand.experiment(new TezRows(1000)), 1);

  @TempDir private Path dir;

  @Test
  void goalsAreRatiosWithinASetting() {
    List<Trial> trials =
        Stream.concat(
                // hdd, mixed, nvme, temptier, ideal
                TrialsOf.round(plan, "fits", 1, 100, 70, 51, 52, 50).stream(),
                Stream.of(
                    TrialsOf.trial("1/2", 1, Arm.STOCK_MIXED, 100),
                    TrialsOf.trial("1/2", 1, Arm.STOCK_NVME_ONLY, 9, 4, false),
                    TrialsOf.trial("1/2", 1, Arm.TEMPTIER, 80)))
            .toList();
    TrialsOf.expectGoals(
        plan,
        trials,
        "e10-vs-hdd 0.520 true",
        "e10-vs-ideal 1.040 false",
        "e10-vs-mixed 0.800 true",
        "e10-failed-tasks 0.000 true");
  }

  @Test
  void thePlanIsReadAsItWasWritten() throws IOException {
    ResultFolder.create(dir, plan, Map.of());
    assertEquals(plan, ResultFolder.open(dir).plan());
  }

  @Test
  void theClusterMustBeOurs() {
    assertFalse(new TezRows(1).anyCluster());
  }
}
