// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.demotion.move.Candidate;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.placer.Placer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutputMoverTest extends TwoTiers {
  @AutoClose private Placer below;
  private MapOutputId id;

  @BeforeEach
  void write() throws IOException {
    id = node.write(fast, 1, BYTES);
    below = node.placer(dir -> !dir.equals(fast));
  }

  private Candidate candidate() throws IOException {
    return node.candidate(fast, id);
  }

  /** Moves it, and tells where to. */
  private LocalDir move() throws IOException {
    List<LocalDir> to = new ArrayList<>();
    List<Candidate> batch = new ArrayList<>(List.of(candidate()));
    node.mover().move(batch, below, node.gate(), (moved, target) -> to.add(target));
    return to.get(0);
  }

  /** What ends a move that is not to be made, or not on. */
  private MoveResult stopped() {
    return assertThrows(MoveStoppedException.class, this::move).result();
  }

  /** Does something when the move asks for this many times whether it may go on. */
  private void at(int ask, Executable what) {
    AtomicInteger asks = new AtomicInteger();
    node.asked =
        () -> {
          if (asks.incrementAndGet() == ask) {
            assertDoesNotThrow(what);
          }
        };
  }

  private void assertWhole() throws IOException {
    assertWhole(id, BYTES);
  }

  @Test
  void leavesOpenHandlesAsTheyAre() throws IOException {
    try (InputStream open = Files.newInputStream(node.file(fast, id))) {
      byte[] begun = open.readNBytes(1000);
      move();
      Files.write(node.file(slow, id), new byte[10]);
      node.invariants.keepAgain();
      byte[] rest = open.readAllBytes();
      assertEquals(BYTES, begun.length + rest.length);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
  void leavesNothingOfAnApplicationThatEndsMeanwhile(int ask) {
    at(
        ask,
        () -> {
          node.users.clear();
          TestNode.deleteApplication(slow, TestNode.APP);
          TestNode.deleteApplication(fast, TestNode.APP);
        });
    assertEquals(MoveResult.GIVEN_UP, stopped());
    for (LocalDir dir : node.dirs) {
      Path application = TestNode.application(dir, TestNode.APP);
      assertFalse(Files.exists(application), application::toString);
    }
  }

  @Test
  void makesNoFolderOfAnApplicationThatIsGone() throws IOException {
    TestNode.deleteApplication(slow, TestNode.APP);
    List<String> before = node.everything();
    assertEquals(MoveResult.NO_ROOM, stopped());
    assertEquals(before, node.everything());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 7, 8})
  void leavesAnOutputThatChanges(int ask) {
    Path file = node.file(fast, id);
    at(
        ask,
        () -> {
          Files.write(file, new byte[] {1}, StandardOpenOption.APPEND);
          node.invariants.keepAgain();
        });
    assertEquals(MoveResult.GIVEN_UP, stopped());
    assertTrue(node.holds(fast, id));
  }

  /** A power cut may have brought it back without the link that told of it. */
  @Test
  void writesOverACopyThatAnInterruptedMoveLeft() throws IOException {
    Path left = node.file(slow, id);
    Files.createDirectories(left.getParent());
    Files.copy(node.file(fast, id), left);
    Files.setLastModifiedTime(left, FileStamp.of(node.file(fast, id)).modified());
    Files.createFile(candidate().partialIn(slow));
    assertEquals(slow, move());
    assertTrue(node.linked(fast, id));
    assertWhole();
    assertEquals(List.of(), node.temporary());
  }

  @Test
  void doesNotOverwriteWhatIsThere() throws IOException {
    Path other = node.file(slow, id);
    Files.createDirectories(other.getParent());
    Files.writeString(other, "somebody else's");
    assertEquals(MoveResult.GIVEN_UP, stopped());
    assertEquals("somebody else's", Files.readString(other));
    assertTrue(node.holds(fast, id));
  }

  @Test
  void goesPastAFullTierToTheNext() throws IOException {
    node = new TestNode(temp);
    fast = node.dir(Medium.RAM_DISK, "nvme", LocalDir.NO_CAP);
    node.dir(Medium.NVME, "full", 1);
    slow = node.dir(Medium.DISK, "disk", LocalDir.NO_CAP);
    below.close();
    below = node.placer(dir -> !dir.equals(fast));
    assertEquals(slow, move());
    assertWhole();
  }

  @Test
  void stopsWhenNobodyCanTellWhatRuns() {
    at(7, () -> node.applicationsKnown = false);
    assertEquals(MoveResult.GIVEN_UP, stopped());
    assertTrue(node.holds(fast, id));
    assertFalse(Files.exists(node.file(slow, id).getParent()));
    assertTrue(Files.exists(TestNode.application(slow, TestNode.APP)), "it may well be running");
  }

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
