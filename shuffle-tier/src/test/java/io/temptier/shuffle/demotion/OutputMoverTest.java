// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.MoveStoppedException.MoveResult;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.placer.Placer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
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

  private final AtomicLong clockNanos = new AtomicLong();
  private final DemotionTally tally = new DemotionTally();
  private final Set<LocalDir> failing = new HashSet<>();
  private final List<Placer> placers = new ArrayList<>();

  // Made for the moves by lanes.
  @SuppressWarnings("NullAway.Init")
  private LocalDir bad;

  @SuppressWarnings("NullAway.Init")
  private LocalDir good;

  @SuppressWarnings("NullAway.Init")
  private Moves moves;

  private List<List<Moves.Lane>> ways = List.of();
  private int number;

  /** Two disks below NVMe, and a slower tier below them; writing to some of them fails. */
  private void twoAboveASlower() throws IOException {
    bad = node.dir(Medium.SSD, "bad", LocalDir.NO_CAP);
    good = node.dir(Medium.SSD, "good", LocalDir.NO_CAP);
    OutputMover mover = node.mover();
    node.busy = this::failAtTheCopy;
    moves =
        new Moves(
            node.tiers().settings(),
            node.context(),
            node,
            tally,
            candidate -> mover,
            application -> {},
            Demoter.STALL,
            clockNanos::get);
    ways = List.of(List.of(lane(bad), lane(good)), List.of(lane(slow)));
  }

  private boolean failAtTheCopy(LocalDir to) {
    Path copy = node.file(to, TestNode.id(number)).resolveSibling(Candidate.COPY);
    if (failing.contains(to) && Files.exists(copy)) {
      throw new UncheckedIOException(new IOException("Input/output error"));
    }
    return false;
  }

  @AfterEach
  void close() {
    placers.forEach(Placer::close);
  }

  private Moves.Lane lane(LocalDir dir) {
    Placer placer = node.placer(dir::equals);
    placers.add(placer);
    return new Moves.Lane(List.of(dir), placer);
  }

  private MoveResult moveByLanes() throws IOException {
    MapOutputId id = node.write(fast, ++number, BYTES);
    List<Candidate> batch = new ArrayList<>(List.of(node.candidate(fast, id)));
    return moves.move(ways, () -> false, batch, moved -> {});
  }

  @Test
  void oneThatFailsLeavesItToTheOtherOfItsTierAndRests() throws IOException {
    twoAboveASlower();
    failing.add(bad);
    for (int move = 0; move < 6; move++) {
      assertEquals(MoveResult.MOVED, moveByLanes());
      assertTrue(node.holds(good, TestNode.id(number)));
    }
    assertEquals(1, tally.get(DemotionCounter.DEMOTION_FAILURES));
    failing.clear();
    clockNanos.addAndGet(Duration.ofMinutes(1).toNanos());
    for (int move = 0; move < 2; move++) {
      assertEquals(MoveResult.MOVED, moveByLanes());
    }
    assertTrue(
        node.holds(bad, TestNode.id(number)) || node.holds(bad, TestNode.id(number - 1)),
        "it has its turn again");
  }

  @Test
  void nothingSinksFurtherForAFailure() throws IOException {
    twoAboveASlower();
    failing.addAll(List.of(bad, good));
    assertEquals(MoveResult.FAILED, moveByLanes());
    assertEquals(2, tally.get(DemotionCounter.DEMOTION_FAILURES));
    assertEquals(MoveResult.BUSY, moveByLanes(), "while both rest");
    assertEquals(2, tally.get(DemotionCounter.DEMOTION_FAILURES));
    failing.clear();
    clockNanos.addAndGet(Duration.ofMinutes(1).toNanos());
    assertEquals(MoveResult.MOVED, moveByLanes());
    for (int each = 1; each <= number; each++) {
      assertEquals(each < number, node.holds(fast, TestNode.id(each)));
      assertFalse(node.holds(slow, TestNode.id(each)));
    }
  }

  @Test
  void nothingSinksFurtherForABusyDisk() throws IOException {
    twoAboveASlower();
    node.busy = List.of(bad, good)::contains;
    assertEquals(MoveResult.BUSY, moveByLanes());
    assertTrue(node.holds(fast, TestNode.id(number)));
    node.busy = bad::equals;
    assertEquals(MoveResult.MOVED, moveByLanes());
    assertTrue(node.holds(good, TestNode.id(number)));
  }
}
