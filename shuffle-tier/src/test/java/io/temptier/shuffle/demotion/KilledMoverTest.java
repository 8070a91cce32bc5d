// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.demotion.move.Candidate;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@link MapOutputMove} leaves is removed, and nothing else. */
class KilledMoverTest extends TwoTiers {
  private MapOutputId id;

  @BeforeEach
  void write() throws IOException {
    id = node.write(fast, 1, BYTES);
  }

  /** Beside links as of a move that was killed. */
  @Test
  void leavesWhatIsNotDemotions() throws Exception {
    node.write(fast, 3, BYTES);
    node.write(slow, 3, BYTES - 1);
    link(fast, slow, 3);
    // The slower one is all there is.
    node.write(slow, 4, BYTES);
    Files.createDirectories(attempt(fast, 4));
    link(fast, slow, 4);
    node.write(fast, 5, BYTES);
    node.write(slow, 5, BYTES);
    link(slow, fast, 5);
    Path empty = Files.createDirectories(attempt(slow, 6));
    List<String> before = node.everything();
    assertEquals(3, node.clean(), "the links");
    before.removeIf(name -> name.contains(Candidate.LINK));
    assertEquals(before, node.everything());
    assertTrue(Files.exists(empty), "a task may be about to write there");
    // There are two of one.
    node.invariants.dropAll();
  }

  /** A move to one dir failed, could not take its copy back, and the next dir took the output. */
  @Test
  void leavesTheCopyThatTheLinkLeadsTo() throws Exception {
    LocalDir next = node.dir(Medium.DISK, "disk2", LocalDir.NO_CAP);
    for (LocalDir dir : List.of(slow, next)) {
      node.write(dir, 1, BYTES);
      Files.delete(node.file(dir, id).resolveSibling(MapOutputId.INDEX));
    }
    link(fast, slow, 1);
    Files.delete(node.file(fast, id));
    Files.createSymbolicLink(node.file(fast, id), node.file(next, id));
    node.clean();
    assertTrue(node.holds(next, id));
    assertEquals(node.file(next, id), Files.readSymbolicLink(node.file(fast, id)));
    // The other copy is as a task wrote it.
    node.invariants.dropAll();
  }

  @Test
  void leavesALinkWhoseDataIsBelow() throws Exception {
    LocalDir ram = node.dir(Medium.RAM_DISK, "ram", LocalDir.NO_CAP);
    Path folder = Files.createDirectories(ram.path().resolve(id.relativePath()));
    Files.createSymbolicLink(folder.resolve(MapOutputId.DATA), node.file(fast, id));
    List<String> before = node.everything();
    assertEquals(0, node.clean());
    assertEquals(before, node.everything());
  }
}
