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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.node.NodeSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TeraSortPlanTest {
  @Test
  void aMapForEachBlockAndAtMostFourReduces() {
    TeraSortPlan plan = TrialsOf.plan(Experiment.E1, 1);
    assertEquals(3, plan.maps());
    assertEquals(3, plan.reduces());
  }

  @Test
  void disksHoldWhatIsPutOnThem() {
    TeraSortPlan plan = TrialsOf.plan(Experiment.E3, 1);
    for (Setting setting : Experiment.E3.settings()) {
      NodeSpec node = plan.node(setting);
      long hdds = node.hdds() * node.hddBytes();
      assertTrue(hdds > 2 * plan.inputBytes() + plan.tempBytes(), setting.name());
      assertTrue(node.fastBytes() > plan.tempBytes() / 0.85, setting.name());
    }
  }

  @Test
  void whereTheFastDiskIsScarceTheIdealHasItsOwn() {
    TeraSortPlan plan = TrialsOf.plan(Experiment.E2, 1);
    Setting half = Experiment.E2.settings().get(0);
    assertTrue(plan.needsIdeal(half));
    assertTrue(plan.node(half).fastBytes() < plan.tempBytes() * 0.5 + (65 << 20));
    assertEquals(plan.node(half).imageBytes() + plan.idealBytes(), plan.imageBytes(half));
    TeraSortPlan fits = TrialsOf.plan(Experiment.E1, 1);
    assertFalse(fits.needsIdeal(Experiment.E1.settings().get(0)));
  }

  @Test
  void everyRoundBeginsWithAnotherArm() {
    TeraSortPlan plan = TrialsOf.plan(Experiment.E3, 3);
    List<Arm> order =
        TrialId.of(plan, Experiment.E3.settings().get(0)).stream().map(TrialId::arm).toList();
    assertEquals(
        List.of(
            Arm.STOCK_HDD, Arm.TEMPTIER, Arm.TEMPTIER, Arm.STOCK_HDD, Arm.STOCK_HDD, Arm.TEMPTIER),
        order);
    assertEquals(18, plan.trials());
  }
}
