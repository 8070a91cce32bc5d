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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.experiment.Setting;
import org.junit.jupiter.api.Test;

final class TeraSortTest {
  private final Setting setting = Setting.of("some", 3, Setting.FITS);

  @Test
  void aMapForEachBlockAndAtMostFourReduces() {
    TeraSort small = TeraSort.of(1_000_000, 32 << 20);
    assertEquals(3, small.maps(setting));
    assertEquals(3, small.reduces(setting));
    assertEquals(4, TeraSort.of(7_680_000, 32 << 20).reduces(setting));
    assertEquals(20, new TeraSort(7_680_000, 32 << 20, 20).reduces(setting));
  }

  @Test
  void aNodeOfManyTasksHasAMapForEach() {
    TeraSort sort = TeraSort.of(7_680_000, 128 << 20);
    assertEquals(6, sort.maps(setting));
    Setting busy = setting.withTasks(14);
    assertTrue(sort.maps(busy) >= 13 && sort.maps(busy) <= 14, () -> sort.title(busy));
    assertEquals(0, sort.blockBytes(busy) % (1 << 20), "HDFS wants whole checksum chunks");
    assertEquals(32 << 20, TeraSort.of(7_680_000, 32 << 20).blockBytes(busy));
  }
}
