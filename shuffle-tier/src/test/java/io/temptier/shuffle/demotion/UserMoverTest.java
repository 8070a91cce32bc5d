// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Programs;
import io.temptier.shuffle.demotion.asuser.HelperSession;
import io.temptier.shuffle.demotion.move.Candidate;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.os.thread.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Helpers that work, and what a user can do to theirs. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UserMoverTest extends HelperTests {
  private static final long LARGE = 24L << 20;

  /** So slow that a large output is met in the middle. */
  private static final long SLOW_RATE = 512 << 10;

  /** After this long without an order another helper is started. */
  private static final Duration HELPER_STAYS = HelperSession.LINGER.minusSeconds(2);

  /** A move of an output on a thread of its own, some of which is copied. */
  private record Begun(MapOutputId id, FutureTask<LocalDir> move, Path copy) {}

  private Begun begin(MoveGate gate) throws Exception {
    MapOutputId id = node.write(fast, 1, LARGE);
    FutureTask<LocalDir> move = moveAside(id, gate);
    Path copy = slow.path().resolve(id.relativePath()).resolve(Candidate.COPY);
    Eventually.holds("a part is copied", () -> copy.toFile().length() > 0);
    return new Begun(id, move, copy);
  }

  private Begun begin() throws Exception {
    open(SLOW_RATE);
    return begin(gate());
  }

  private void assertUntouched(MapOutputId id, long bytes) throws IOException {
    assertTrue(node.holds(fast, id));
    assertWhole(id, bytes);
  }

  /** A machine that pauses for as long as a helper stays without work may need another. */
  private void assertOneHelper(long beganNanos) {
    long starts = tally.get(DemotionCounter.HELPER_STARTS);
    Duration took = Duration.ofNanos(System.nanoTime() - beganNanos);
    assertTrue(starts == 1 || took.compareTo(HELPER_STAYS) > 0, starts + " helpers in " + took);
  }

  @Test
  void oneHelperMovesAllOutputsOfAnApplication() throws Exception {
    long began = System.nanoTime();
    for (int number = 1; number <= 5; number++) {
      MapOutputId id = write(number);
      Files.setAttribute(node.file(fast, id), "unix:mode", 0640);
      node.invariants.keepAgain();
      assertEquals(slow, move(id));
      assertTrue(node.linked(fast, id));
      assertWhole(id, BYTES);
    }
    assertOneHelper(began);
    assertCount(0, DemotionCounter.HELPER_FAILURES);
    assertEquals(List.of(), node.temporary());
    assertEmpty(slow.path().resolve(".temptier/as-user/moves"));
    Path folder = scratch.resolve("local/usercache/ann/appcache").resolve(TestNode.APP);
    assertTrue(Files.exists(folder));
    sessions.applicationEnded(TestNode.APP);
    Eventually.holds("its folder is gone", () -> !Files.exists(folder));
  }

  @Test
  void aHelperThatIsKilledSetsItsUserAsideAndTheNextOneCleansUp() throws Exception {
    Begun begun = begin();
    DirectProcesses.signal("KILL", helper().orElseThrow().pid());
    assertGivenUp(begun);
    assertCount(1, DemotionCounter.HELPER_FAILURES);
    assertEquals(1, sessions.setAside());
    assertUntouched(begun.id(), LARGE);
    assertTrue(Files.exists(begun.copy()), "nobody but the user deletes it");
    // The pause between two starts is over, the time that the user is set aside is not.
    aheadNanos.addAndGet(Duration.ofSeconds(30).toNanos());
    assertFalse(sessions.request(who()), "the user waits");
    aheadNanos.addAndGet(Duration.ofSeconds(31).toNanos());
    assertTrue(sessions.request(who()));
    Eventually.holds("the copy is removed", () -> !Files.exists(begun.copy()));
    assertUntouched(begun.id(), LARGE);
    Eventually.holds("it says so", () -> tally.get(DemotionCounter.LEFTOVERS_REMOVED) == 2);
  }

  @Test
  void aHelperThatIsStoppedIsNotWaitedFor() throws Exception {
    open(SLOW_RATE, Duration.ofSeconds(15));
    Begun begun = begin(gate());
    ProcessHandle helper = helper().orElseThrow();
    DirectProcesses.signal("STOP", helper.pid());
    assertGivenUp(begun);
    assertEquals(1, sessions.setAside());
    Eventually.holds("it is killed", () -> !helper.isAlive());
    assertUntouched(begun.id(), LARGE);
  }

  @Test
  void withoutItsNodeManagerAHelperTakesBackWhatItIsAt() throws Exception {
    Begun begun = begin();
    ProcessHandle helper = helper().orElseThrow();
    // What is open is closed, as when a process ends.
    sessions.close();
    Eventually.holds("it ended", () -> !helper.isAlive());
    assertFalse(Files.exists(begun.copy()));
    assertThrows(ExecutionException.class, begun.move()::get);
    assertUntouched(begun.id(), LARGE);
    assertEquals(List.of(), node.temporary());
  }

  @Test
  void whatWasMadeForAnApplicationThatEndsIsTakenBack() throws Exception {
    Begun begun = begin();
    node.users.remove(TestNode.APP);
    sessions.applicationEnded(TestNode.APP);
    for (LocalDir dir : node.dirs) {
      TestNode.deleteApplication(dir, TestNode.APP);
    }
    assertGivenUp(begun);
    assertCount(0, DemotionCounter.HELPER_FAILURES);
    awaitNoHelper();
    for (LocalDir dir : node.dirs) {
      Path application = TestNode.application(dir, TestNode.APP);
      assertFalse(Files.exists(application, LinkOption.NOFOLLOW_LINKS), application::toString);
    }
  }

  @Test
  void whereTheSlowDiskIsBusyTheMoveIsTakenBackAndTheHelperStays() throws Exception {
    long began = System.nanoTime();
    open(SLOW_RATE);
    MoveGate gate = gate();
    Begun begun = begin(gate);
    gate.cancel();
    assertGivenUp(begun);
    assertFalse(Files.exists(begun.copy()));
    assertUntouched(begun.id(), LARGE);
    assertMoves(2);
    assertOneHelper(began);
  }

  @ParameterizedTest
  @ValueSource(strings = {"link to a folder", "file", "pipe as data", "folder as copy"})
  void whatLiesInTheWayCostsItsOutputOnly(String obstacle) throws Exception {
    long began = System.nanoTime();
    MapOutputId id = write(1);
    Path folder = slow.path().resolve(id.relativePath());
    Files.createDirectories(folder.getParent());
    Path victim = Files.createDirectory(temp.resolve("victim"));
    switch (obstacle) {
      case "link to a folder" -> Files.createSymbolicLink(folder, victim);
      case "file" -> Files.createFile(folder);
      case "pipe as data" -> {
        Files.createDirectory(folder);
        Programs.pipe(folder.resolve(MapOutputId.DATA));
      }
      default -> Files.createDirectories(folder.resolve(Candidate.COPY).resolve("x"));
    }
    MoveStoppedException stopped = assertThrows(MoveStoppedException.class, () -> move(id));
    assertEquals(MoveResult.GIVEN_UP, stopped.result());
    assertTrue(node.holds(fast, id));
    assertEmpty(victim);
    assertMoves(2);
    assertCount(0, DemotionCounter.HELPER_FAILURES);
    assertOneHelper(began);
  }

  @ParameterizedTest
  @CsvSource({
    "lies, it did not move what it said it had",
    "floods, it does not come to the point",
    "repeats itself, it says more than a move takes",
    "is silent, it said nothing for",
    "ends, it ended with 1",
    "ends quietly, it ended with 0",
    "jumps the gun, it began with MOVED",
    "counts badly, it did not say what it removed"
  })
  void aHelperOfTheUsersOwnCostsThatUserOnly(String does, String trouble) throws Exception {
    openHostile(does, Duration.ofSeconds(2));
    MapOutputId id = write(1);
    FutureTask<LocalDir> move = moveAside(id, gate());
    Eventually.holds("the user is set aside", () -> sessions.setAside() == 1);
    assertCount(1, DemotionCounter.HELPER_FAILURES);
    assertUntouched(id, BYTES);
    awaitNoHelper();
    assertCount(1, DemotionCounter.HELPER_STARTS);
    assertTrue(troubles.get(0).startsWith(trouble), troubles::toString);
    move.cancel(true);
  }

  /** What the helper says cannot be held against what is there. */
  @Test
  void aDiskThatFailsRightAfterTheMoveSetsNobodyAside() throws Exception {
    openHostile("loses the disk", Duration.ofMinutes(1));
    MapOutputId id = write(1);
    MoveStoppedException stopped = assertThrows(MoveStoppedException.class, () -> move(id));
    assertEquals(MoveResult.GIVEN_UP, stopped.result());
    assertEquals(0, sessions.setAside(), troubles::toString);
    // It is gone with its disk.
    node.invariants.dropAll();
    node.dirs.clear();
  }

  /** As it does banned users, and those of low ids. */
  @Test
  void whoTheExecutorRefusesIsSetAside() throws Exception {
    processes.refusal = "Requested user is banned";
    MapOutputId id = write(1);
    FutureTask<LocalDir> move = moveAside(id, gate());
    Eventually.holds("the user is set aside", () -> sessions.setAside() == 1);
    String why = String.join(";", troubles);
    assertTrue(why.contains("Requested user is banned"), why);
    move.cancel(true);
    assertUntouched(id, BYTES);
  }

  private FutureTask<LocalDir> moveAside(MapOutputId id, MoveGate gate) {
    FutureTask<LocalDir> move = new FutureTask<>(() -> move(mover, id, gate));
    Threads.run("a move", move);
    return move;
  }

  private static void assertGivenUp(Begun begun) {
    ExecutionException failed = assertThrows(ExecutionException.class, begun.move()::get);
    assertTrue(failed.getCause() instanceof MoveStoppedException, failed::toString);
  }
}
