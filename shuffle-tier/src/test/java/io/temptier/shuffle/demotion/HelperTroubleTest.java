// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsRoot;
import io.temptier.shuffle.demotion.asuser.ApplicationUser;
import io.temptier.shuffle.demotion.asuser.UserMover;
import io.temptier.shuffle.demotion.move.MoveContext;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStoppedException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes wrong with helpers that no user brought about. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HelperTroubleTest extends HelperTests {
  private static final long LARGE = 3L << 20;

  /** The next helper of an application is not started at once. */
  private void passStartPause() {
    bed.aheadNanos.addAndGet(Duration.ofSeconds(6).toNanos());
  }

  private void assertNobodyIsBlamed() {
    assertEquals(0, bed.sessions().setAside(), bed.troubles::toString);
  }

  private void awaitFailure() throws Exception {
    assertTrue(bed.sessions().request(who()));
    Eventually.holds("it fails", () -> bed.tally.get(DemotionCounter.HELPER_FAILURES) == 1);
    assertNobodyIsBlamed();
  }

  @Test
  void whatKeepsTheNodeManagerFromStartingOneSetsNobodyAside() throws Exception {
    UserMover mover = open(FAST_RATE);
    Path orders = scratch.resolve("orders");
    Files.createDirectories(scratch);
    Files.createFile(orders);
    awaitFailure();
    Eventually.holds("the next one has to wait", () -> !bed.sessions().request(who()));
    Files.delete(orders);
    passStartPause();
    assertMoves(mover, 1);
  }

  @Test
  void anExecutorThatRunsNothingOfAnybodySetsNobodyAside() throws Exception {
    UserMover mover = open(FAST_RATE);
    bed.processes.breakDown("The configuration file is not owned by root");
    awaitFailure();
    assertTrue(bed.troubles.get(0).contains("not owned by root"), bed.troubles::toString);
    bed.processes.breakDown("");
    passStartPause();
    assertMoves(mover, 1);
  }

  @Test
  void noneIsStartedForWhatHasNoRoomBelow() throws Exception {
    UserMover mover = open(FAST_RATE);
    MapOutputId id = write(1);
    Path file = bed.node.file(bed.fast, id);
    try (FileChannel output = FileChannel.open(file, StandardOpenOption.WRITE)) {
      // With holes, and longer than any disk of this machine has room.
      output.write(ByteBuffer.allocate(1), 15L << 40);
      MoveStoppedException stopped =
          assertThrows(MoveStoppedException.class, () -> bed.move(mover, id));
      assertEquals(MoveResult.NO_ROOM, stopped.result());
      assertCount(0, DemotionCounter.HELPER_STARTS);
      output.truncate(BYTES);
    }
    assertEquals(bed.slow, bed.move(mover, id));
    assertCount(1, DemotionCounter.HELPER_STARTS);
  }

  @Test
  void foldersThatAreGoneAreMadeAgainForTheNextOne() throws Exception {
    UserMover mover = open(FAST_RATE);
    assertMoves(mover, 1);
    Eventually.holds("it ends by itself", () -> bed.helper().isEmpty());
    FileUtil.fullyDelete(bed.fast.path().resolve(".temptier").toFile());
    passStartPause();
    assertMoves(mover, 2);
    assertCount(2, DemotionCounter.HELPER_STARTS);
    assertCount(0, DemotionCounter.HELPER_FAILURES);
  }

  @Test
  void ofOneThatCannotBeKilledNothingStaysOpenAndItsReasonIsTold() throws Exception {
    bed.processes.refuseToKill();
    openHostile("jumps the gun", Duration.ofSeconds(30));
    assertTrue(bed.sessions().request(who()));
    Eventually.holds("its user is set aside", () -> bed.sessions().setAside() == 1);
    assertEquals(List.of("it began with MOVED"), bed.troubles);
    assertEmpty(scratch.resolve("own"));
    DirectProcesses.signal("KILL", bed.helper().orElseThrow().pid());
  }

  @Test
  void whereNoThreadIsToSpareForItsEndAHelperEndsByItself() throws Exception {
    UserMover mover = open(FAST_RATE);
    assertMoves(mover, 1);
    bed.threadsToSpare = false;
    bed.sessions().applicationEnded(TestNode.APP);
    Eventually.holds("it ends", () -> bed.helper().isEmpty());
    bed.threadsToSpare = true;
    assertMoves(mover, 2);
    assertNobodyIsBlamed();
  }

  @Test
  void aHelperThatNobodyWaitsForAnyMoreIsEnded() throws Exception {
    UserMover mover = open(1L << 20);
    MapOutputId first = bed.node.write(bed.fast, 1, LARGE);
    AtomicInteger asked = new AtomicInteger();
    MoveGate gate =
        bed.gate(
            dir -> {
              if (asked.incrementAndGet() > 1) {
                throw new IllegalStateException("made up");
              }
              return false;
            });
    assertThrows(IllegalStateException.class, () -> bed.move(mover, first, gate));
    Eventually.holds("it is ended", () -> bed.helper().isEmpty());
    assertNobodyIsBlamed();
    passStartPause();
    assertMoves(mover, 2);
    assertEquals(bed.slow, bed.move(mover, first));
    assertCount(0, DemotionCounter.HELPER_FAILURES);
    assertEquals(List.of(), bed.node.temporary());
  }

  /** As it stays where the helper was killed with its NodeManager. */
  @Test
  @NeedsRoot
  void aFileOfLengthsThatIsLeftHasAHelperCleanUp() throws Exception {
    UserMover mover = open(FAST_RATE);
    Files.setAttribute(MoveContext.home(bed.slow, TestNode.USER), "unix:uid", 12_345);
    assertTrue(mover.clean(bed.slow, TestNode.USER, TestNode.APP), "nothing is left");
    assertCount(0, DemotionCounter.HELPER_STARTS);
    MapOutputId id = write(1);
    Path begun = mover.grows(bed.node.candidate(bed.fast, id), bed.slow);
    Files.createDirectories(begun.getParent());
    Files.createFile(begun);
    bed.context().take(id);
    assertTrue(mover.clean(bed.slow, TestNode.USER, TestNode.APP), "it is being moved");
    assertTrue(Files.exists(begun));
    assertCount(0, DemotionCounter.HELPER_STARTS);
    bed.context().release(id);
    assertTrue(mover.clean(bed.slow, TestNode.USER, TestNode.APP));
    assertTrue(Files.notExists(begun));
    ApplicationUser user = UserMover.owner(bed.slow, TestNode.USER, TestNode.APP, 12_345);
    Eventually.holds("one is ready", () -> bed.sessions().acquire(user).isPresent());
    assertCount(1, DemotionCounter.HELPER_STARTS);
  }

  @Test
  void oneThatIsToStopAndTalksOnIsGivenUp() throws Exception {
    UserMover mover = openHostile("repeats itself", Duration.ofMinutes(5));
    MapOutputId id = bed.node.write(bed.fast, 1, LARGE);
    MoveGate[] gate = new MoveGate[1];
    gate[0] =
        bed.gate(
            dir -> {
              gate[0].cancel();
              return false;
            });
    assertThrows(MoveStoppedException.class, () -> bed.move(mover, id, gate[0]));
    assertCount(1, DemotionCounter.HELPER_FAILURES);
    assertEquals(List.of("it says more than a move takes"), bed.troubles);
  }

  @Test
  void whatItSaysOfAnEarlierOrderIsNotHeard() throws Exception {
    UserMover mover = openHostile("is late", Duration.ofSeconds(30));
    MapOutputId id = write(1);
    MoveStoppedException stopped =
        assertThrows(MoveStoppedException.class, () -> bed.move(mover, id));
    assertEquals("the output changed", stopped.getMessage());
    assertNobodyIsBlamed();
  }
}
