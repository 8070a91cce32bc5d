// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

  @Test
  void whatCannotBeIsRefusedWithItsValue() {
    assertTrue(refusal(0, 100 << 20, 50 << 20, 1 << 30).contains("hdds=0"));
    assertTrue(refusal(13, 100 << 20, 50 << 20, 1 << 30).contains("hdds=13"));
    assertTrue(refusal(1, 100, 50 << 20, 1 << 30).contains("hddBytes=100"));
    assertTrue(refusal(1, 100 << 20, 7, 1 << 30).contains("fastBytes=7"));
    assertTrue(refusal(1, 100 << 20, 50 << 20, 9).contains("memoryBytes=9"));
  }

  private static String refusal(int hdds, long hddBytes, long fastBytes, long memoryBytes) {
    return String.valueOf(
        assertThrows(
                IllegalArgumentException.class,
                () -> new NodeSpec(hdds, SPEED, hddBytes, fastBytes, memoryBytes))
            .getMessage());
  }

  @ParameterizedTest
  @CsvSource({"128, 100", "64, 50", "32, 25", "9, 10", "1, 10", "256, 100"})
  void smallerBlocksHaveSmallerSortBuffers(int blockMiB, int sortMiB) {
    assertEquals(sortMiB, NodeCluster.sortMiB((long) blockMiB << 20));
  }
}
