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
package io.temptier.bench.demotion;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.testbed.DiskSpeed;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DemotionPlanTest {
  @ParameterizedTest
  @ValueSource(longs = {1_000_000, 3_000_000, 20_000_000})
  void theJobFillsTheFastDiskAboveTheHighMarkAndNotToWhereFilesSpill(long rows) {
    DemotionPlan plan = new DemotionPlan(rows, 1, new DiskSpeed(30, 40));
    double peak = 2.1 * plan.inputBytes() / plan.fastBytes();
    assertTrue(peak * 100 > DemotionPlan.HIGH_PERCENT + 5, "peak " + peak);
    assertTrue(peak < 0.8, "peak " + peak);
    assertTrue(plan.inputBytes() / plan.splitBytes() >= 10, "maps");
  }
}
