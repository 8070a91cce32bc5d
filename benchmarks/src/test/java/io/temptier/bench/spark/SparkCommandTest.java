// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.spark;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.jobs.TrialsOf;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SparkCommandTest {
  @Test
  void eachSettingIsHeldAgainstItsArms() {
    TrialsOf.expectGoals(
        TrialsOf.plan(SparkCommand.experiment(6_000_000, false), 1),
        List.of(
            TrialsOf.trial("fits", 1, Arm.STOCK_HDD, 100),
            TrialsOf.trial("fits", 1, Arm.STOCK_MIXED, 80),
            TrialsOf.trial("fits", 1, Arm.TEMPTIER, 40),
            TrialsOf.trial("fits", 1, Arm.IDEAL, 39),
            TrialsOf.trial("1/2", 1, Arm.STOCK_MIXED, 80),
            TrialsOf.trial("1/2", 1, Arm.TEMPTIER, 56)),
        "e9-vs-hdd 0.400 true",
        "e9-vs-mixed 0.500 true",
        "e9-vs-ideal 1.026 false",
        "e9-half-vs-mixed 0.700 true",
        "e9-failed-tasks 0.000 true");
  }
}
