// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An output that goes down twice: from memory, where a link stays, over NVMe to a disk. */
class UpperLinksTest extends TwoTiers {
  @Test
  void anOutputThatGoesDownTwiceIsReadFromEachDir() throws Exception {
    LocalDir ram = node.dir(Medium.RAM_DISK, "ram", LocalDir.NO_CAP);
    MapOutputId id = node.write(ram, 1, BYTES);
    node.demoteAll(ram, 0, id);
    assertEquals(node.file(fast, id), Files.readSymbolicLink(node.file(ram, id)));
    node.demoteAll(fast, 0, id);
    assertEquals(node.file(slow, id), Files.readSymbolicLink(node.file(fast, id)));
    assertTrue(node.holds(slow, id));
    assertEquals(List.of(), node.temporary());
    node.assertReadable(
        id, BYTES, List.of(ram, fast, slow), List.of(slow, fast, ram), List.of(fast, ram, slow));
  }
}
