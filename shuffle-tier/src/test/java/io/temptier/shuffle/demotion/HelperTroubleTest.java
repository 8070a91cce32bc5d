// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes wrong with helpers that no user brought about. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HelperTroubleTest extends HelperTests {
  private static final long LARGE = 3L << 20;

  /** The next helper of an application is not started at once. */
  private void passStartPause() {
    aheadNanos.addAndGet(Duration.ofSeconds(6).toNanos());
  }

  private void assertNobodyIsBlamed() {
    assertEquals(0, sessions.setAside(), troubles::toString);
  }

  private void awaitFailure() throws Exception {
    assertTrue(sessions.request(who()));
    Eventually.holds("it fails", () -> tally.get(DemotionCounter.HELPER_FAILURES) == 1);
    assertNobodyIsBlamed();
  }

  @Test
  void whatKeepsTheNodeManagerFromStartingOneSetsNobodyAside() throws Exception {
    Path orders = scratch.resolve("orders");
    Files.createDirectories(scratch);
    Files.createFile(orders);
    awaitFailure();
    Eventually.holds("the next one has to wait", () -> !sessions.request(who()));
    Files.delete(orders);
    passStartPause();
    assertMoves(1);
  }

  @Test
  void anExecutorThatRunsNothingOfAnybodySetsNobodyAside() throws Exception {
    processes.broken = "The configuration file is not owned by root";
    awaitFailure();
    assertTrue(troubles.get(0).contains("not owned by root"), troubles::toString);
    processes.broken = "";
    passStartPause();
    assertMoves(1);
  }

  @Test
  void noneIsStartedForWhatHasNoRoomBelow() throws Exception {
    MapOutputId id = write(1);
    Path file = node.file(fast, id);
    try (FileChannel output = FileChannel.open(file, StandardOpenOption.WRITE)) {
      // With holes, and longer than any disk of this machine has room.
      output.write(ByteBuffer.allocate(1), 15L << 40);
      MoveStoppedException stopped = assertThrows(MoveStoppedException.class, () -> move(id));
      assertEquals(MoveResult.NO_ROOM, stopped.result());
      assertCount(0, DemotionCounter.HELPER_STARTS);
      output.truncate(BYTES);
    }
    node.invariants.keepAgain();
    assertEquals(slow, move(id));
    assertCount(1, DemotionCounter.HELPER_STARTS);
  }

  @Test
  void foldersThatAreGoneAreMadeAgainForTheNextOne() throws Exception {
    assertMoves(1);
    awaitNoHelper();
    FileUtil.fullyDelete(fast.path().resolve(".temptier").toFile());
    passStartPause();
    assertMoves(2);
    assertCount(2, DemotionCounter.HELPER_STARTS);
    assertCount(0, DemotionCounter.HELPER_FAILURES);
  }

  @Test
  void ofOneThatCannotBeKilledNothingStaysOpenAndItsReasonIsTold() throws Exception {
    processes.kills = false;
    openHostile("jumps the gun", Duration.ofSeconds(30));
    assertTrue(sessions.request(who()));
    Eventually.holds("its user is set aside", () -> sessions.setAside() == 1);
    assertEquals(List.of("it began with MOVED"), troubles);
    assertEmpty(scratch.resolve("own"));
    DirectProcesses.signal("KILL", helper().orElseThrow().pid());
  }

  @Test
  void whereNoThreadWasToSpareAnApplicationGetsItsHelperLater() throws Exception {
    threadsToSpare = false;
    assertFalse(sessions.request(who()));
    threadsToSpare = true;
    assertFalse(sessions.request(who()), "not at once");
    passStartPause();
    assertTrue(sessions.request(who()));
    assertTrue(sessions.request(who()), "it is being started");
    Eventually.holds("there is one", () -> sessions.acquire(who()).isPresent());
    assertCount(1, DemotionCounter.HELPER_STARTS);
  }

  @Test
  void whereNoThreadIsToSpareForItsEndAHelperEndsByItself() throws Exception {
    assertMoves(1);
    threadsToSpare = false;
    sessions.applicationEnded(TestNode.APP);
    awaitNoHelper();
    threadsToSpare = true;
    assertMoves(2);
    assertNobodyIsBlamed();
  }

  @Test
  void aHelperThatNobodyWaitsForAnyMoreIsEnded() throws Exception {
    open(1L << 20);
    MapOutputId first = node.write(fast, 1, LARGE);
    AtomicInteger asked = new AtomicInteger();
    node.busy =
        dir -> {
          if (asked.incrementAndGet() > 1) {
            throw new IllegalStateException("made up");
          }
          return false;
        };
    assertThrows(IllegalStateException.class, () -> move(first));
    node.busy = dir -> false;
    awaitNoHelper();
    assertNobodyIsBlamed();
    passStartPause();
    assertMoves(2);
    assertEquals(slow, move(first));
    assertCount(0, DemotionCounter.HELPER_FAILURES);
    assertEquals(List.of(), node.temporary());
  }

  /** As it stays where the helper was killed with its NodeManager. */
  @Test
  @NeedsRoot
  void aFileOfLengthsThatIsLeftHasAHelperCleanUp() throws Exception {
    Files.setAttribute(MoveContext.home(slow, TestNode.USER), "unix:uid", 12_345);
    assertTrue(mover.clean(slow, TestNode.USER, TestNode.APP), "nothing is left");
    assertCount(0, DemotionCounter.HELPER_STARTS);
    MapOutputId id = write(1);
    Path begun = mover.grows(node.candidate(fast, id), slow);
    Files.createDirectories(begun.getParent());
    Files.createFile(begun);
    context.take(id);
    assertTrue(mover.clean(slow, TestNode.USER, TestNode.APP), "it is being moved");
    assertTrue(Files.exists(begun));
    assertCount(0, DemotionCounter.HELPER_STARTS);
    context.release(id);
    assertTrue(mover.clean(slow, TestNode.USER, TestNode.APP));
    assertTrue(Files.notExists(begun));
    ApplicationUser user = UserMover.owner(slow, TestNode.USER, TestNode.APP, 12_345);
    Eventually.holds("one is ready", () -> sessions.acquire(user).isPresent());
    assertCount(1, DemotionCounter.HELPER_STARTS);
  }

  @Test
  void oneThatIsToStopAndTalksOnIsGivenUp() throws Exception {
    openHostile("repeats itself", Duration.ofMinutes(5));
    MapOutputId id = node.write(fast, 1, LARGE);
    MoveGate gate = gate();
    node.busy =
        dir -> {
          gate.cancel();
          return false;
        };
    assertThrows(MoveStoppedException.class, () -> move(mover, id, gate));
    assertCount(1, DemotionCounter.HELPER_FAILURES);
    assertEquals(List.of("it says more than a move takes"), troubles);
  }

  /** Its last call was done and reported as failed, or it heard too late that it was to stop. */
  @ParameterizedTest
  @CsvSource({"moves and fails", "moves and stops"})
  void aMoveThatIsDoneIsOne(String does) throws Exception {
    openHostile(does, Duration.ofSeconds(30));
    assertMoves(1);
    assertEquals(does.endsWith("fails") ? List.of("FAILED: so it seems") : List.of(), troubles);
  }

  @Test
  void whatItSaysOfAnEarlierOrderIsNotHeard() throws Exception {
    openHostile("is late", Duration.ofSeconds(30));
    MapOutputId id = write(1);
    MoveStoppedException stopped = assertThrows(MoveStoppedException.class, () -> move(id));
    assertEquals("the output changed", stopped.getMessage());
    assertNobodyIsBlamed();
  }
}
