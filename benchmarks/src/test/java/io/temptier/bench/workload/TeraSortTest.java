// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.experiment.Setting;
import io.temptier.bench.jobs.TrialsOf;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TeraSortTest {
  private final Setting setting = TrialsOf.node("some", 3, Setting.FITS);

  @Test
  void aMapForEachBlockAndAtMostFourReduces() {
    TeraSort small = new TeraSort(1_000_000, 32 << 20, 4);
    assertEquals(3, small.maps(setting));
    assertEquals(3, small.reduces(setting));
    assertEquals(4, new TeraSort(7_680_000, 32 << 20, 4).reduces(setting));
    assertEquals(20, new TeraSort(7_680_000, 32 << 20, 20).reduces(setting));
  }

  @Test
  void aNodeOfManyTasksHasAMapForEach() {
    TeraSort sort = new TeraSort(7_680_000, 128 << 20, 4);
    assertEquals(6, sort.maps(setting));
    Setting busy = new Setting("busy", 3, Setting.FITS, 14, 0, false, List.of());
    assertTrue(sort.maps(busy) >= 13 && sort.maps(busy) <= 14, () -> sort.title(busy));
    assertEquals(0, sort.blockBytes(busy) % (1 << 20), "HDFS wants whole checksum chunks");
    assertEquals(32 << 20, new TeraSort(7_680_000, 32 << 20, 4).blockBytes(busy));
  }
}
