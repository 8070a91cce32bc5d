// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NodeClusterTest {
  @ParameterizedTest
  @CsvSource({"128, 100", "64, 50", "32, 25", "9, 10", "1, 10", "256, 100"})
  void smallerBlocksHaveSmallerSortBuffers(int blockMiB, int sortMiB) {
    assertEquals(sortMiB, NodeCluster.sortMiB((long) blockMiB << 20));
  }
}
