// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.shuffle.demotion.asuser.ApplicationUser;
import io.temptier.shuffle.demotion.asuser.Launch;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.os.FileStamp;
import java.io.IOException;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong with helpers that no user brought about. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HelperTroubleTest {
  private static final long BYTES = 300_000;
  private static final long LARGE = 3L << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path temp;

  private HelperTestbed bed;
  private Path scratch;

  @BeforeEach
  void makeBed() throws IOException {
    bed = new HelperTestbed(temp);
    scratch = bed.fast.path().resolve(".temptier/as-user");
  }

  @AfterEach
  void close() {
    bed.close();
    Eventually.holds("helpers end by themselves", () -> bed.helper().isEmpty());
  }

  private UserMover open(long bytesPerSecond) throws IOException {
    return bed.open(bytesPerSecond, MoveHelper.LAUNCH, PATIENCE);
  }

  private UserMover openHostile(String does) throws IOException {
    HostileHelper.tell(temp, does);
    Launch own = new Launch(HostileHelper.class, List.of(MoveHelper.class, LocalDir.class));
    return bed.open(1L << 30, own, PATIENCE);
  }

  private ApplicationUser who() throws IOException {
    return UserMover.owner(bed.fast, TestNode.USER, TestNode.APP, FileStamp.of(temp).uid());
  }

  /** The next helper of an application is not started at once. */
  private void passStartPause() {
    bed.aheadNanos.addAndGet(Duration.ofSeconds(6).toNanos());
  }

  private void assertNobodyIsBlamed() {
    assertEquals(0, bed.sessions().setAside(), bed.troubles::toString);
  }

  @Test
  void whatKeepsTheNodeManagerFromStartingOneSetsNobodyAside() throws Exception {
    UserMover mover = open(1L << 30);
    MapOutputId id = bed.node.write(bed.fast, 1, BYTES);
    Path orders = scratch.resolve("orders");
    Files.delete(orders);
    Files.createFile(orders);
    assertTrue(bed.sessions().request(who()));
    Eventually.holds("it fails", () -> bed.tally.get(DemotionCounter.HELPER_FAILURES) == 1);
    assertNobodyIsBlamed();
    Eventually.holds("the next one has to wait", () -> !bed.sessions().request(who()));
    Files.delete(orders);
    passStartPause();
    assertEquals(bed.slow, bed.move(mover, id));
  }

  @Test
  void anExecutorThatRunsNothingOfAnybodySetsNobodyAside() throws Exception {
    UserMover mover = open(1L << 30);
    MapOutputId id = bed.node.write(bed.fast, 1, BYTES);
    bed.breakExecutor("The configuration file is not owned by root");
    assertTrue(bed.sessions().request(who()));
    Eventually.holds("it fails", () -> bed.tally.get(DemotionCounter.HELPER_FAILURES) == 1);
    assertTrue(bed.troubles.get(0).contains("not owned by root"), bed.troubles::toString);
    assertNobodyIsBlamed();
    bed.breakExecutor("");
    passStartPause();
    assertEquals(bed.slow, bed.move(mover, id));
  }

  @Test
  void noneIsStartedForWhatHasNoRoomBelow() throws Exception {
    UserMover mover = open(1L << 30);
    MapOutputId id = bed.node.write(bed.fast, 1, BYTES);
    Path file = bed.node.file(bed.fast, id);
    try (FileChannel output = FileChannel.open(file, StandardOpenOption.WRITE)) {
      // With holes, and longer than any disk of this machine has room.
      output.write(ByteBuffer.allocate(1), 15L << 40);
      Candidate large = Candidate.of(id, bed.fast, FileStamp.of(file), 0);
      MoveStoppedException stopped =
          assertThrows(MoveStoppedException.class, () -> bed.moveNow(mover, large, bed.gate()));
      assertEquals(MoveResult.NO_ROOM, stopped.result());
      assertEquals(0, bed.tally.get(DemotionCounter.HELPER_STARTS));
      output.truncate(BYTES);
    }
    assertEquals(bed.slow, bed.move(mover, id));
    assertEquals(1, bed.tally.get(DemotionCounter.HELPER_STARTS));
  }

  @Test
  void foldersThatAreGoneAreMadeAgain() throws Exception {
    UserMover mover = open(1L << 30);
    FileUtil.fullyDelete(bed.fast.path().resolve(".temptier").toFile());
    assertEquals(bed.slow, bed.move(mover, bed.node.write(bed.fast, 1, BYTES)));
    assertEquals(0, bed.tally.get(DemotionCounter.HELPER_FAILURES));
  }

  @Test
  void ofOneThatCannotBeKilledNothingStaysOpenAndItsReasonIsTold() throws Exception {
    bed.refuseToKill();
    openHostile("jumps the gun");
    assertTrue(bed.sessions().request(who()));
    Eventually.holds("its user is set aside", () -> bed.sessions().setAside() == 1);
    assertEquals(List.of("it began with MOVED"), bed.troubles);
    try (var left = Files.list(scratch.resolve("own"))) {
      assertEquals(List.of(), left.toList());
    }
    DirectProcesses.signal("KILL", bed.helper().orElseThrow().pid());
  }

  @Test
  void aHelperThatNobodyWaitsForAnyMoreIsEnded() throws Exception {
    UserMover mover = open(1L << 20);
    MapOutputId first = bed.node.write(bed.fast, 1, LARGE);
    AtomicInteger asked = new AtomicInteger();
    MoveGate gate =
        bed.gate(
            dir -> {
              if (asked.incrementAndGet() > 2) {
                throw new IllegalStateException("made up");
              }
              return false;
            });
    assertThrows(IllegalStateException.class, () -> bed.move(mover, first, gate));
    Eventually.holds("it is ended", () -> bed.helper().isEmpty());
    assertNobodyIsBlamed();
    passStartPause();
    MapOutputId next = bed.node.write(bed.fast, 2, BYTES);
    assertEquals(bed.slow, bed.move(mover, next));
    assertEquals(bed.slow, bed.move(mover, first));
    assertEquals(0, bed.tally.get(DemotionCounter.HELPER_FAILURES));
    assertEquals(List.of(), bed.node.temporary());
  }

  @Test
  void whatItSaysOfAnEarlierOrderIsNotHeard() throws Exception {
    UserMover mover = openHostile("is late");
    MapOutputId id = bed.node.write(bed.fast, 1, BYTES);
    MoveStoppedException stopped =
        assertThrows(MoveStoppedException.class, () -> bed.move(mover, id));
    assertEquals("the output changed", stopped.getMessage());
    assertNobodyIsBlamed();
  }

  @Test
  void oneThatEndedByItselfBeforeItsOrderCameSetsNobodyAside() throws Exception {
    UserMover mover = open(1L << 30);
    assertEquals(bed.slow, bed.move(mover, bed.node.write(bed.fast, 1, BYTES)));
    MapOutputId id = bed.node.write(bed.fast, 2, BYTES);
    Candidate candidate = Candidate.of(id, bed.fast, FileStamp.of(bed.node.file(bed.fast, id)), 0);
    MoveGate slow =
        bed.gate(
            dir -> {
              Eventually.holds("it ends", () -> bed.helper().isEmpty());
              return false;
            });
    MoveStoppedException stopped =
        assertThrows(MoveStoppedException.class, () -> bed.moveNow(mover, candidate, slow));
    assertEquals(MoveResult.NOT_YET, stopped.result());
    assertNobodyIsBlamed();
    passStartPause();
    assertEquals(bed.slow, bed.move(mover, id));
    assertEquals(0, bed.tally.get(DemotionCounter.HELPER_FAILURES));
  }
}
