// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.fixtures.Texts;
import io.temptier.lab.testbed.DiskSpeed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NodeSpecTest {
  private static final DiskSpeed SPEED = new DiskSpeed(30, 40);
  private static final NodeSpec SPEC = new NodeSpec(3, SPEED, 100 << 20, 50 << 20, 1L << 30);

  @Test
  void imagesTakeWhatAllDisksTake() {
    assertEquals(350L << 20, SPEC.imageBytes());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 104857600, 52428800, 1073741824, hdds=0",
    "13, 104857600, 52428800, 1073741824, hdds=13",
    "1, 100, 52428800, 1073741824, hddBytes=100",
    "1, 104857600, 7, 1073741824, fastBytes=7",
    "1, 104857600, 52428800, 9, memoryBytes=9"
  })
  void whatCannotBeIsRefusedWithItsValue(
      int hdds, long hddBytes, long fastBytes, long memoryBytes, String said) {
    Texts.thrown(
        IllegalArgumentException.class,
        () -> new NodeSpec(hdds, SPEED, hddBytes, fastBytes, memoryBytes),
        said);
  }

  @ParameterizedTest
  @CsvSource({"128, 100", "64, 50", "32, 25", "9, 10", "1, 10", "256, 100"})
  void smallerBlocksHaveSmallerSortBuffers(int blockMiB, int sortMiB) {
    assertEquals(sortMiB, NodeCluster.sortMiB((long) blockMiB << 20));
  }
}
