// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.lab.node.NodeSpec;
import io.temptier.lab.testbed.DiskSpeed;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NodeStateTest {
  private static final NodeSpec SPEC =
      new NodeSpec(3, new DiskSpeed(30, 40), 100 << 20, 50 << 20, 1L << 30);

  @TempDir private Path home;

  @Test
  void whatIsWrittenDownIsReadBack() throws IOException {
    assertTrue(NodeState.read(home).isEmpty());
    NodeState.write(SPEC, home);
    assertEquals(SPEC, NodeState.read(home).orElseThrow());
  }
}
