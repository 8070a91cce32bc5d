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
package io.temptier.bench.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.bench.testbed.DiskSpeed;
import org.junit.jupiter.api.Test;

final class HddModelTest {
  private static final DiskSpeed SPEED = new DiskSpeed(100, 50);
  private static final HddModel STOCK = model(HddModel.Handler.STOCK);

  private static HddModel model(HddModel.Handler handler) {
    return new HddModel(1, SPEED, 128 << 10, handler, 0);
  }

  @Test
  void readingInOrderTakesARequestForEachReadahead() {
    // 8 requests of 20 ms each, and 1 MiB at 100 MB/s.
    assertEquals(8 * 20 + 10.49, STOCK.readMillis(1 << 20), 0.01);
    assertEquals(20 + 0.01, STOCK.readMillis(1_000), 0.01);
  }

  @Test
  void writingTakesFewerAndLargerOnes() {
    assertEquals(2 * 20 + 20.97, STOCK.writeMillis(2 << 20), 0.01);
  }

  @Test
  void segmentsAreReadOneByOneByStockAndTogetherByTempTier() {
    long segment = 70 << 10;
    assertEquals(20 + 0.72, STOCK.fetchMillis(segment), 0.01);
    assertEquals(2 + 0.72, model(HddModel.Handler.TEMPTIER).fetchMillis(segment), 0.01);
  }
}
