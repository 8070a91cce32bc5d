// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.demotion.MoveStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process killed at any step of a move leaves whole data, and nothing after the next start. */
class KilledMoverTest {
  private static final long BYTES = 300_000;

  @TempDir Path temp;

  private TestNode node = new TestNode(Path.of("/"));
  private LocalDir fast = LocalDir.of(Path.of("/"), Medium.NVME, 0, "");
  private LocalDir slow = fast;
  private MapOutputId id = TestNode.id(1);

  @BeforeEach
  void write() throws IOException {
    node = new TestNode(temp);
    fast = node.dir(Medium.NVME, "nvme", LocalDir.NO_CAP);
    slow = node.dir(Medium.DISK, "disk", LocalDir.NO_CAP);
    id = node.write(fast, 1, BYTES);
  }

  @ParameterizedTest
  @CsvSource({
    "LINKED, 1",
    "FOLDERS_MADE, 1",
    "COPY_STARTED, 1",
    "PART_COPIED, 1",
    "PART_COPIED, 3",
    "COPIED, 1",
    "COPY_NAMED, 1",
    "REPLACED, 1"
  })
  void leavesWholeDataAndIsCleanedUp(MoveStep step, int times) throws Exception {
    List<String> before = node.everything();
    Process process = KilledMover.start(temp, step, times);
    try {
      byte[] expected = TestNode.data(id, BYTES);
      int reads = 0;
      for (; process.isAlive() || reads < 2; reads++) {
        assertArrayEquals(expected, TestNode.readAsStock(List.of(fast, slow), id));
        assertArrayEquals(expected, TestNode.readAsStock(List.of(slow, fast), id));
      }
      assertTrue(process.waitFor(10, TimeUnit.MINUTES));
      assertEquals(KilledMover.HALTED, process.exitValue());
      int removed = clean();
      assertArrayEquals(expected, TestNode.readAsStock(List.of(fast, slow), id));
      assertArrayEquals(expected, TestNode.readAsStock(List.of(slow, fast), id));
      assertEquals(0, clean(), "once is enough");
      assertCleaned(step, before, removed);
    } finally {
      process.destroyForcibly();
      process.waitFor();
    }
  }

  private void assertCleaned(MoveStep step, List<String> before, int removed) throws IOException {
    int expected =
        switch (step) {
          case REPLACED, UPPER_LINKED -> 0;
          case LINKED, FOLDERS_MADE -> 1;
          case COPY_STARTED, PART_COPIED, COPIED, COPY_NAMED -> 2;
        };
    assertEquals(expected, removed, step.name());
    boolean copyGone = step == MoveStep.COPY_NAMED;
    assertEquals(copyGone ? List.of(id) : List.of(), node.moved, "path caches hear of it");
    if (step == MoveStep.REPLACED) {
      assertTrue(node.linked(fast, id));
      assertTrue(node.holds(slow, id));
      assertEquals(List.of(), node.temporary());
      return;
    }
    List<String> now = new ArrayList<>(before);
    if (step != MoveStep.LINKED) {
      // Tasks may be about to use it.
      now.add("disk/usercache/ann/appcache/" + TestNode.APP + "/output");
    }
    now.sort(null);
    assertEquals(now, node.everything());
    assertTrue(node.holds(fast, id));
  }

  private int clean() throws IOException {
    return node.clean();
  }

  @Test
  void leavesWhatIsNotDemotions() throws Exception {
    MapOutputId torn = node.write(fast, 2, BYTES);
    Files.write(node.file(fast, torn), new byte[10]);
    node.write(slow, 2, BYTES);
    Files.write(node.file(slow, torn), new byte[10]);
    MapOutputId other = node.write(fast, 3, BYTES);
    node.write(slow, 3, BYTES - 1);
    TestNode.writeIndex(fast.path().resolve(other.relativePath()), BYTES);
    Path empty = Files.createDirectories(slow.path().resolve(TestNode.id(4).relativePath()));
    List<String> before = node.everything();
    assertEquals(0, clean());
    assertEquals(before, node.everything());
    assertTrue(Files.exists(empty), "a task may be about to write there");
  }

  /** A move to one dir failed, could not take its copy back, and the next dir took the output. */
  @Test
  void leavesTheCopyThatTheLinkLeadsTo() throws Exception {
    LocalDir next = node.dir(Medium.DISK, "disk2", LocalDir.NO_CAP);
    for (LocalDir dir : List.of(slow, next)) {
      node.write(dir, 1, BYTES);
      Files.delete(node.file(dir, id).resolveSibling(MapOutputId.INDEX));
    }
    Files.delete(node.file(fast, id));
    Files.createSymbolicLink(node.file(fast, id), node.file(next, id));
    clean();
    assertTrue(node.holds(next, id));
    assertEquals(node.file(next, id), Files.readSymbolicLink(node.file(fast, id)));
  }

  @Test
  void leavesALinkWhoseDataIsBelow() throws Exception {
    LocalDir ram = node.dir(Medium.RAM_DISK, "ram", LocalDir.NO_CAP);
    Path folder = Files.createDirectories(ram.path().resolve(id.relativePath()));
    Files.createSymbolicLink(folder.resolve(MapOutputId.DATA), node.file(fast, id));
    List<String> before = node.everything();
    assertEquals(0, clean());
    assertEquals(before, node.everything());
  }
}
