// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.terasort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.jobs.NodeSetting;
import org.junit.jupiter.api.Test;

final class TeraSortTest {
  private final NodeSetting setting = NodeSetting.of("some", 3, NodeSetting.FITS);

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
    NodeSetting busy = setting.withTasks(14);
    assertTrue(sort.maps(busy) >= 13 && sort.maps(busy) <= 14, () -> sort.title(busy));
    assertEquals(0, sort.blockBytes(busy) % (1 << 20), "HDFS wants whole checksum chunks");
    assertEquals(32 << 20, TeraSort.of(7_680_000, 32 << 20).blockBytes(busy));
  }
}
