// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.shuffle.demotion.asuser.ApplicationUser;
import io.temptier.shuffle.demotion.asuser.HelperSession;
import io.temptier.shuffle.demotion.asuser.Launch;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.MoveResult;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.os.FileStamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Helpers that work, and what a user can do to theirs. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UserMoverTest {
  private static final long BYTES = 300_000;
  private static final long LARGE = 24L << 20;

  /** So slow that a large output is met in the middle. */
  private static final long SLOW_RATE = 512 << 10;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** After this long without an order another helper is started. */
  private static final Duration HELPER_STAYS = HelperSession.LINGER.minusSeconds(2);

  @TempDir Path temp;

  private HelperTestbed bed;

  @BeforeEach
  void makeBed() throws IOException {
    bed = new HelperTestbed(temp);
  }

  private UserMover open(long bytesPerSecond) throws IOException {
    return bed.open(bytesPerSecond, MoveHelper.LAUNCH, PATIENCE);
  }

  @AfterEach
  void close() throws Exception {
    bed.close();
    Eventually.holds("helpers end by themselves", () -> bed.helper().isEmpty());
  }

  private void assertReadable(MapOutputId id, long bytes) throws IOException {
    byte[] expected = TestNode.data(id, bytes);
    assertArrayEquals(expected, TestNode.readAsStock(List.of(bed.fast, bed.slow), id));
    assertArrayEquals(expected, TestNode.readAsStock(List.of(bed.slow, bed.fast), id));
  }

  private void assertUntouched(MapOutputId id, long bytes) throws IOException {
    assertTrue(bed.node.holds(bed.fast, id));
    assertReadable(id, bytes);
  }

  /** What helpers leave behind for none to find. */
  private List<Path> lengths() throws IOException {
    Path folder = bed.slow.path().resolve(".temptier/as-user/moves");
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (var files = Files.list(folder)) {
      return files.toList();
    }
  }

  /** A machine that pauses for as long as a helper stays without work may need another. */
  private void assertOneHelper(long beganNanos) {
    long starts = bed.tally.get(DemotionCounter.HELPER_STARTS);
    Duration took = Duration.ofNanos(System.nanoTime() - beganNanos);
    assertTrue(starts == 1 || took.compareTo(HELPER_STAYS) > 0, starts + " helpers in " + took);
  }

  @Test
  void oneHelperMovesAllOutputsOfAnApplication() throws Exception {
    long began = System.nanoTime();
    UserMover mover = open(1L << 30);
    for (int number = 1; number <= 5; number++) {
      MapOutputId id = bed.node.write(bed.fast, number, BYTES);
      Files.setAttribute(bed.node.file(bed.fast, id), "unix:mode", 0640);
      FileStamp before = FileStamp.of(bed.node.file(bed.fast, id));
      assertEquals(bed.slow, bed.move(mover, id));
      FileStamp after = FileStamp.of(bed.node.file(bed.slow, id));
      assertTrue(bed.node.linked(bed.fast, id));
      assertEquals(
          List.of(before.uid(), before.gid(), before.mode(), before.modified()),
          List.of(after.uid(), after.gid(), after.mode(), after.modified()));
      assertReadable(id, BYTES);
    }
    assertOneHelper(began);
    assertEquals(0, bed.tally.get(DemotionCounter.HELPER_FAILURES));
    assertEquals(List.of(), bed.node.temporary());
    assertEquals(List.of(), lengths());
    Path scratch = bed.fast.path().resolve(".temptier/as-user/local/usercache/ann/appcache");
    assertTrue(Files.exists(scratch.resolve(TestNode.APP)));
    bed.sessions().applicationEnded(TestNode.APP);
    Eventually.holds("its folder is gone", () -> !Files.exists(scratch.resolve(TestNode.APP)));
  }

  @Test
  void aHelperThatIsKilledSetsItsUserAsideAndTheNextOneCleansUp() throws Exception {
    UserMover mover = open(SLOW_RATE);
    MapOutputId id = bed.node.write(bed.fast, 1, LARGE);
    CompletableFuture<LocalDir> move = moveAside(mover, id);
    Path copy = awaitCopy(id);
    DirectProcesses.signal("KILL", bed.helper().orElseThrow().pid());
    assertGivenUp(move);
    assertEquals(1, bed.tally.get(DemotionCounter.HELPER_FAILURES));
    assertEquals(1, bed.sessions().setAside());
    assertUntouched(id, LARGE);
    assertTrue(Files.exists(copy), "nobody but the user deletes it");
    // The pause between two starts is over, the time that the user is set aside is not.
    bed.aheadNanos.addAndGet(Duration.ofSeconds(30).toNanos());
    assertFalse(bed.sessions().request(who()), "the user waits");
    bed.aheadNanos.addAndGet(Duration.ofSeconds(31).toNanos());
    assertTrue(bed.sessions().request(who()));
    Eventually.holds("the copy is removed", () -> !Files.exists(copy));
    assertUntouched(id, LARGE);
  }

  @Test
  void aHelperThatIsStoppedIsNotWaitedFor() throws Exception {
    UserMover mover = bed.open(SLOW_RATE, MoveHelper.LAUNCH, Duration.ofSeconds(15));
    MapOutputId id = bed.node.write(bed.fast, 1, LARGE);
    CompletableFuture<LocalDir> move = moveAside(mover, id);
    awaitCopy(id);
    ProcessHandle helper = bed.helper().orElseThrow();
    DirectProcesses.signal("STOP", helper.pid());
    assertGivenUp(move);
    assertEquals(1, bed.sessions().setAside());
    Eventually.holds("it is killed", () -> !helper.isAlive());
    assertUntouched(id, LARGE);
  }

  @Test
  void withoutItsNodeManagerAHelperTakesBackWhatItIsAt() throws Exception {
    UserMover mover = open(SLOW_RATE);
    MapOutputId id = bed.node.write(bed.fast, 1, LARGE);
    CompletableFuture<LocalDir> move = moveAside(mover, id);
    Path copy = awaitCopy(id);
    ProcessHandle helper = bed.helper().orElseThrow();
    // What is open is closed, as when a process ends.
    bed.sessions().close();
    Eventually.holds("it ended", () -> !helper.isAlive());
    assertFalse(Files.exists(copy));
    assertThrows(ExecutionException.class, move::get);
    assertUntouched(id, LARGE);
    assertEquals(List.of(), bed.node.temporary());
  }

  @Test
  void whatWasMadeForAnApplicationThatEndsIsTakenBack() throws Exception {
    UserMover mover = open(SLOW_RATE);
    MapOutputId id = bed.node.write(bed.fast, 1, LARGE);
    CompletableFuture<LocalDir> move = moveAside(mover, id);
    awaitCopy(id);
    bed.node.users.remove(TestNode.APP);
    bed.sessions().applicationEnded(TestNode.APP);
    for (LocalDir dir : bed.node.dirs) {
      TestNode.deleteApplication(dir, TestNode.APP);
    }
    assertGivenUp(move);
    assertEquals(0, bed.tally.get(DemotionCounter.HELPER_FAILURES), "that was no failure");
    Eventually.holds("it ended", () -> bed.helper().isEmpty());
    for (LocalDir dir : bed.node.dirs) {
      Path application = OutputScanner.application(dir, TestNode.USER, TestNode.APP);
      assertFalse(Files.exists(application, LinkOption.NOFOLLOW_LINKS), application::toString);
    }
  }

  @Test
  void whereTheSlowDiskIsBusyTheMoveIsTakenBackAndTheHelperStays() throws Exception {
    long began = System.nanoTime();
    UserMover mover = open(SLOW_RATE);
    MapOutputId id = bed.node.write(bed.fast, 1, LARGE);
    MoveGate gate = bed.gate();
    CompletableFuture<LocalDir> move = moveAside(mover, id, gate);
    Path copy = awaitCopy(id);
    gate.cancel();
    assertGivenUp(move);
    assertFalse(Files.exists(copy));
    assertUntouched(id, LARGE);
    MapOutputId next = bed.node.write(bed.fast, 2, BYTES);
    assertEquals(bed.slow, bed.move(mover, next));
    assertOneHelper(began);
  }

  @ParameterizedTest
  @ValueSource(strings = {"link to a folder", "file", "pipe as data", "folder as copy"})
  void whatLiesInTheWayCostsItsOutputOnly(String obstacle) throws Exception {
    long began = System.nanoTime();
    UserMover mover = open(1L << 30);
    MapOutputId id = bed.node.write(bed.fast, 1, BYTES);
    Path folder = bed.slow.path().resolve(id.relativePath());
    Files.createDirectories(folder.getParent());
    Path victim = Files.createDirectory(temp.resolve("victim"));
    switch (obstacle) {
      case "link to a folder" -> Files.createSymbolicLink(folder, victim);
      case "file" -> Files.createFile(folder);
      case "pipe as data" -> {
        Files.createDirectory(folder);
        assertEquals(
            0,
            new ProcessBuilder("mkfifo", folder.resolve(MapOutputId.DATA).toString())
                .start()
                .waitFor());
      }
      default -> Files.createDirectories(folder.resolve(MovePaths.COPY).resolve("x"));
    }
    MoveStoppedException stopped =
        assertThrows(MoveStoppedException.class, () -> bed.move(mover, id));
    assertEquals(MoveResult.GIVEN_UP, stopped.result());
    assertTrue(bed.node.holds(bed.fast, id));
    try (var left = Files.list(victim)) {
      assertEquals(List.of(), left.toList());
    }
    assertEquals(bed.slow, bed.move(mover, bed.node.write(bed.fast, 2, BYTES)));
    assertEquals(0, bed.tally.get(DemotionCounter.HELPER_FAILURES));
    assertOneHelper(began);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lies",
        "floods",
        "repeats itself",
        "is silent",
        "ends",
        "ends quietly",
        "jumps the gun"
      })
  void aHelperOfTheUsersOwnCostsThatUserOnly(String does) throws Exception {
    Launch own = new Launch(HostileHelper.class, List.of(MoveHelper.class, LocalDir.class));
    HostileHelper.tell(temp, does);
    UserMover mover = bed.open(1L << 30, own, Duration.ofSeconds(2));
    MapOutputId id = bed.node.write(bed.fast, 1, BYTES);
    CompletableFuture<LocalDir> move = moveAside(mover, id);
    Eventually.holds("the user is set aside", () -> bed.sessions().setAside() == 1);
    assertEquals(1, bed.tally.get(DemotionCounter.HELPER_FAILURES));
    assertUntouched(id, BYTES);
    Eventually.holds("it is killed", () -> bed.helper().isEmpty());
    assertEquals(1, bed.tally.get(DemotionCounter.HELPER_STARTS));
    move.cancel(true);
  }

  /** As it does banned users, and those of low ids. */
  @Test
  void whoTheExecutorRefusesIsSetAside() throws Exception {
    UserMover mover = open(1L << 30);
    bed.refuse("Requested user is banned");
    MapOutputId id = bed.node.write(bed.fast, 1, BYTES);
    CompletableFuture<LocalDir> move = moveAside(mover, id);
    Eventually.holds("the user is set aside", () -> bed.sessions().setAside() == 1);
    String why = String.join(";", bed.troubles);
    assertTrue(why.contains("Requested user is banned"), why);
    move.cancel(true);
    assertUntouched(id, BYTES);
  }

  private ApplicationUser who() throws IOException {
    return UserMover.owner(bed.fast, TestNode.USER, TestNode.APP, FileStamp.of(temp).uid());
  }

  private CompletableFuture<LocalDir> moveAside(UserMover mover, MapOutputId id) {
    return moveAside(mover, id, bed.gate());
  }

  private CompletableFuture<LocalDir> moveAside(UserMover mover, MapOutputId id, MoveGate gate) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return bed.move(mover, id, gate);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static void assertGivenUp(CompletableFuture<LocalDir> move) {
    ExecutionException failed = assertThrows(ExecutionException.class, move::get);
    Throwable cause = Objects.requireNonNull(failed.getCause()).getCause();
    assertTrue(cause instanceof MoveStoppedException, String.valueOf(cause));
  }

  /** Waits until some of an output is copied. */
  private Path awaitCopy(MapOutputId id) throws Exception {
    Path copy = bed.slow.path().resolve(id.relativePath()).resolve(MovePaths.COPY);
    Eventually.holds("a part is copied", () -> copy.toFile().length() > 0);
    return copy;
  }
}
