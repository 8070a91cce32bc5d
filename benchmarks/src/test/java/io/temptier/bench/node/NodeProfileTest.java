// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class NodeProfileTest {
  @Test
  void tasksOfAnHddAreThosePublished() {
    assertEquals(40.0 / 12, tasksOfAnHdd(NodeProfile.TWITTER_LIKE), 0.01);
    assertEquals(112.0 / 8, tasksOfAnHdd(NodeProfile.INTEL_LAB_LIKE), 0.01);
  }

  @Test
  void goalsAreThosePublished() {
    assertEquals(2396.0 / 3309, NodeProfile.TWITTER_LIKE.gridmixRatio(), 0.001);
    assertEquals(2702.0 / 5592, NodeProfile.INTEL_LAB_LIKE.gridmixRatio(), 0.001);
  }

  private static double tasksOfAnHdd(NodeProfile profile) {
    return (double) profile.tasks() / profile.hdds();
  }
}
