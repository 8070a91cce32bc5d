// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.demotion.MoveStep;
import io.temptier.tier.demotion.Pace;
import io.temptier.tier.placer.Placer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An output that goes down twice: from memory, where a link stays, over NVMe to a disk. */
class UpperLinksTest extends TwoTiers {
  private LocalDir ram;
  private MapOutputId id;

  @BeforeEach
  void writeAndMoveOnce() throws Exception {
    ram = node.dir(Medium.RAM_DISK, "ram", LocalDir.NO_CAP);
    id = node.write(ram, 1, BYTES);
    node.demoteAll(ram, 0, id);
    assertEquals(node.file(fast, id), Files.readSymbolicLink(node.file(ram, id)));
  }

  @Test
  void theUpperLinkLeadsToTheDataAndNotToALink() throws Exception {
    node.demoteAll(fast, 0, id);
    assertTrue(node.holds(slow, id));
    assertEquals(node.file(slow, id), Files.readSymbolicLink(node.file(ram, id)));
    assertEquals(node.file(slow, id), Files.readSymbolicLink(node.file(fast, id)));
    assertEquals(List.of(), node.temporary());
    assertReadable();
  }

  /** The dir has turned read-only, say: what lies there is looked for another time. */
  @Test
  void anUpperLinkThatCannotBeMadeIsToldOf() throws Exception {
    Pace pace = new Pace(1L << 30);
    MoveGate gate = node.gate(pace, new DemotionTally());
    MoveStep.Observer failing =
        step -> {
          if (step == MoveStep.UPPER_LINKED) {
            throw new IOException("Read-only file system");
          }
        };
    try (Placer below = node.placer(slow::equals)) {
      assertEquals(
          slow, TestNode.move(node.mover(pace, failing), node.candidate(fast, id), below, gate));
    }
    assertTrue(gate.leftAny());
    assertReadable();
  }

  private void assertReadable() throws IOException {
    node.assertReadable(
        id, BYTES, List.of(ram, fast, slow), List.of(slow, fast, ram), List.of(fast, ram, slow));
  }
}
