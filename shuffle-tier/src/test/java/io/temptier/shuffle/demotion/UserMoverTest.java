// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsRoot;
import io.temptier.fixtures.Programs;
import io.temptier.fixtures.Trees;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.demotion.ColdBlocks;
import io.temptier.tier.demotion.Launch;
import io.temptier.tier.demotion.MoveStoppedException;
import io.temptier.tier.demotion.MoveStoppedException.MoveResult;
import io.temptier.tier.demotion.UserBatches;
import io.temptier.tier.demotion.UserBlocks;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.os.Threads;
import io.temptier.tier.placer.Placer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches that work, what a user can do to theirs, and what goes wrong with them. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UserMoverTest extends TwoTiers {
  private static final long FAST_RATE = 1L << 30;
  private static final long LARGE = 24L << 20;

  /** So slow that a large output is met in the middle. */
  private static final long SLOW_RATE = 512 << 10;

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final DirectProcesses processes = new DirectProcesses();
  private final AtomicLong aheadNanos = new AtomicLong();
  private UserBatches batches;
  private UserMover mover;
  private Placer below;

  @BeforeEach
  void openFast() throws IOException {
    below = node.placer(slow::equals);
    node.asUsers = Optional.of(processes);
    open(FAST_RATE, PATIENCE);
  }

  @AfterEach
  void close() throws IOException {
    below.close();
    assertEquals(List.of(), List.copyOf(process().stream().toList()));
    // As the next batch does.
    node.clean();
  }

  private void open(long bytesPerSecond, Duration patience) throws IOException {
    batches =
        new UserBatches(
            () -> node.asUsers,
            bytesPerSecond,
            patience,
            () -> System.nanoTime() + aheadNanos.get());
    mover = new UserMover(batches, MoveBatch.LAUNCH, node.context());
  }

  /** Has a user put something in the place of a batch. */
  private void openHostile(String does) throws IOException {
    open(FAST_RATE, Duration.ofSeconds(2));
    HostileBatch.tell(temp, does);
    Launch own = new Launch(HostileBatch.class, List.of(MoveBatch.class, LocalDir.class));
    mover = new UserMover(batches, own, node.context());
  }

  private MapOutputId write(int number) throws IOException {
    return node.write(fast, number, BYTES);
  }

  /** Moves outputs by one batch; those that stayed are returned. */
  private List<Candidate> move(MoveGate gate, MapOutputId... ids) throws IOException {
    List<Candidate> batch = new ArrayList<>();
    for (MapOutputId id : ids) {
      batch.add(node.candidate(fast, id));
    }
    List<Candidate> moved = new ArrayList<>();
    mover.move(batch, below, gate, (candidate, to) -> moved.add(candidate));
    batch.removeAll(moved);
    return batch;
  }

  /** What ends a move that is not to be made. */
  private MoveResult stopped(MapOutputId id) {
    return assertThrows(MoveStoppedException.class, () -> move(node.gate(), id)).result();
  }

  private void assertMoves(int number) throws IOException {
    MapOutputId id = write(number);
    assertEquals(List.of(), move(node.gate(), id));
    assertTrue(node.linked(fast, id));
    assertWhole(id, BYTES);
  }

  private void assertStays(MapOutputId id) throws IOException {
    assertEquals(1, move(node.gate(), id).size());
  }

  private void assertUntouched(MapOutputId id, long bytes) throws IOException {
    assertTrue(node.holds(fast, id));
    assertWhole(id, bytes);
  }

  /** A batch that runs. */
  private Optional<ProcessHandle> process() {
    return ProcessHandle.current()
        .children()
        .filter(ProcessHandle::isAlive)
        .filter(child -> child.info().commandLine().orElse("").contains(temp.toString()))
        .findFirst();
  }

  /** A move of an output on a thread of its own, some of which is copied. */
  private record Begun(MapOutputId id, FutureTask<List<Candidate>> move, Path copy) {}

  private Begun begin(MoveGate gate) throws Exception {
    return begin(gate, LARGE);
  }

  private Begun begin(MoveGate gate, long bytes) throws Exception {
    MapOutputId id = node.write(fast, 1, bytes);
    FutureTask<List<Candidate>> move = new FutureTask<>(() -> move(gate, id));
    Threads.run("a move", move);
    Path copy = slow.path().resolve(id.relativePath()).resolve(Candidate.COPY);
    Eventually.holds("a part is copied", () -> copy.toFile().length() > 0);
    return new Begun(id, move, copy);
  }

  private Begun begin() throws Exception {
    open(SLOW_RATE, PATIENCE);
    return begin(node.gate());
  }

  private static void assertGivenUp(Begun begun) {
    ExecutionException failed = assertThrows(ExecutionException.class, begun.move()::get);
    assertTrue(failed.getCause() instanceof MoveStoppedException, failed::toString);
  }

  private int clean() throws IOException {
    return mover.clean(fast, TestNode.USER, TestNode.APP, node.gate());
  }

  @Test
  void aBatchMovesAllOutputsOfAnApplication() throws Exception {
    MapOutputId[] ids = {write(1), write(2), write(3), write(4), write(5)};
    for (MapOutputId id : ids) {
      Files.setAttribute(node.file(fast, id), "unix:mode", 0640);
    }
    node.invariants.keepAgain();
    assertEquals(List.of(), move(node.gate(), ids));
    for (MapOutputId id : ids) {
      assertTrue(node.linked(fast, id));
      assertWhole(id, BYTES);
    }
    assertEquals(1, batches.started());
    assertEquals(0, batches.failures());
    assertEquals(List.of(), node.temporary());
    Path scratch = slow.path().resolve(".temptier/as-user");
    assertEquals(
        List.of(),
        Trees.below(scratch).stream()
            .map(Path::toString)
            .filter(path -> path.contains(TestNode.APP) || Files.isRegularFile(Path.of(path)))
            .toList());
  }

  @Test
  void whatAnEarlierNodeManagerLeftIsDeletedFirst() throws Exception {
    Path scratch = slow.path().resolve(".temptier/as-user");
    Path folder = scratch.resolve("local/usercache/bob/appcache/application_1_0001");
    Path logs = scratch.resolve("logs/application_1_0001/container_1_0001_01_000001");
    Path own = Files.createDirectories(scratch.resolve("own")).resolve("x");
    Files.createDirectories(folder);
    Files.createDirectories(logs);
    Files.createFile(own);
    assertMoves(1);
    for (Path path : List.of(folder, logs.getParent(), own)) {
      assertFalse(Files.exists(path), path::toString);
    }
  }

  @Test
  void aUserWhoseBatchIsKilledWaitsAndTheNextOneCleansUp() throws Exception {
    Begun begun = begin();
    DirectProcesses.signal("KILL", process().orElseThrow().pid());
    assertEquals(1, begun.move().get().size());
    assertEquals(1, batches.failures());
    assertUntouched(begun.id(), LARGE);
    assertTrue(Files.exists(begun.copy()), "nobody but the user deletes it");
    assertEquals(MoveResult.GIVEN_UP, stopped(begun.id()));
    aheadNanos.addAndGet(Duration.ofMinutes(1).toNanos());
    assertMoves(2);
    assertFalse(Files.exists(begun.copy()));
    assertUntouched(begun.id(), LARGE);
    assertEquals(List.of(), node.temporary());
  }

  @Test
  void oneThatIsStoppedIsNotWaitedFor() throws Exception {
    open(SLOW_RATE, Duration.ofSeconds(1));
    Begun begun = begin(node.gate(), 4L << 20);
    ProcessHandle stopped = process().orElseThrow();
    DirectProcesses.signal("STOP", stopped.pid());
    assertEquals(1, begun.move().get().size());
    assertFalse(stopped.isAlive());
    assertUntouched(begun.id(), 4L << 20);
  }

  @Test
  void whatIsMadeForAnApplicationThatEndsIsDeleted() throws Exception {
    Begun begun = begin();
    node.users.remove(TestNode.APP);
    for (LocalDir dir : node.dirs) {
      TestNode.deleteApplication(dir, TestNode.APP);
    }
    assertGivenUp(begun);
    assertEquals(0, batches.failures());
    for (LocalDir dir : node.dirs) {
      Path application = TestNode.application(dir, TestNode.APP);
      assertFalse(Files.exists(application, LinkOption.NOFOLLOW_LINKS), application::toString);
    }
  }

  @Test
  void oneThatIsNotToGoOnIsKilledAndWhatItLeftIsRemoved() throws Exception {
    MoveGate gate = node.gate();
    open(SLOW_RATE, PATIENCE);
    Begun begun = begin(gate);
    gate.cancel();
    assertGivenUp(begun);
    assertTrue(gate.leftAny());
    assertEquals(0, batches.failures());
    assertTrue(Files.exists(begun.copy()));
    assertEquals(0, clean(), "it is this process's own");
    assertEquals(2, node.clean());
    assertUntouched(begun.id(), LARGE);
  }

  /** The next NodeManager finds it, and has it removed as the user. */
  @Test
  @NeedsRoot
  void whatIsLeftOfAnotherUsersIsRemovedAsTheUser() throws Exception {
    write(1);
    link(fast, slow, 1);
    node.give(fast, 12_345);
    node.give(slow, 12_345);
    assertEquals(-1, clean(), "by a process that is not the user's it is not");
    assertEquals(1, batches.started());
    node.give(fast, 0);
    node.clean();
  }

  @Test
  void whileReadersWantTheDiskItStops() throws Exception {
    open(4L << 20, PATIENCE);
    Begun begun = begin(node.gate());
    Path stat = Path.of("/proc", Long.toString(process().orElseThrow().pid()), "stat");
    node.busy = slow::equals;
    Eventually.holds("it is stopped", () -> Files.readString(stat).contains(") T "));
    node.busy = dir -> false;
    assertEquals(List.of(), begun.move().get());
    assertWhole(begun.id(), LARGE);
  }

  /** On a busy machine the executor takes longer to start than the rest of the batch. */
  @Test
  void oneThatEndsBeforeItIsStoppedHasMoved() throws Exception {
    processes.late = true;
    open(8L << 20, PATIENCE);
    Begun begun = begin(node.gate());
    node.busy = slow::equals;
    assertEquals(List.of(), begun.move().get());
    assertEquals(0, batches.failures());
  }

  @ParameterizedTest
  @ValueSource(strings = {"link to a folder", "file", "pipe as data", "folder as copy"})
  void whatLiesInTheWayCostsItsOutputOnly(String obstacle) throws Exception {
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
    List<Candidate> stays = move(node.gate(), id, write(2));
    assertEquals(List.of(id), stays.stream().map(Candidate::id).toList());
    assertTrue(node.holds(fast, id));
    assertEquals(List.of(victim), Trees.below(victim));
    assertEquals(0, batches.failures());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "does nothing",
        "floods",
        "stays",
        "makes a link to nothing",
        "makes a short copy"
      })
  void aBatchOfTheUsersOwnCostsThatUserOnly(String does) throws Exception {
    openHostile(does);
    assertStays(write(1));
    assertEquals(1, batches.failures());
    // What is there is the user's own.
    node.invariants.dropAll();
    for (LocalDir dir : node.dirs) {
      TestNode.deleteApplication(dir, TestNode.APP);
    }
  }

  /** Its last call was done and reported as failed. */
  @Test
  void aMoveThatIsDoneIsOne() throws Exception {
    openHostile("moves and fails");
    assertEquals(List.of(), move(node.gate(), write(1)));
    assertEquals(0, batches.failures());
  }

  @Test
  void aDiskThatFailsCostsTheOutputsTurn() throws Exception {
    openHostile("loses the disk");
    assertStays(write(1));
    // It is gone with its disk.
    node.invariants.dropAll();
    node.dirs.clear();
  }

  /** As it does banned users, and those of low ids. */
  @Test
  void whoTheExecutorRefusesWaits() throws Exception {
    processes.refuses = true;
    MapOutputId id = write(1);
    assertStays(id);
    assertEquals(1, batches.failures());
    assertUntouched(id, BYTES);
  }

  @Test
  void whatKeepsTheNodeManagerFromStartingOneSetsNobodyAside() throws Exception {
    Path place = slow.path().resolve(".temptier/as-user");
    Files.createDirectories(place.getParent());
    Files.createFile(place);
    MapOutputId id = write(1);
    assertThrows(IOException.class, () -> move(node.gate(), id));
    assertEquals(0, batches.failures());
    Files.delete(place);
    assertMoves(2);
  }

  @Test
  void noneIsStartedForWhatHasNoRoomBelow() throws Exception {
    MapOutputId id = write(1);
    try (FileChannel output = FileChannel.open(node.file(fast, id), StandardOpenOption.WRITE)) {
      // With holes, and longer than any disk of this machine has room.
      output.write(ByteBuffer.allocate(1), 15L << 40);
      assertEquals(MoveResult.NO_ROOM, stopped(id));
      assertEquals(0, batches.started());
      output.truncate(BYTES);
    }
    node.invariants.keepAgain();
    assertEquals(List.of(), move(node.gate(), id));
  }

  @Test
  void oneAtATimeRuns() throws Exception {
    Begun begun = begin();
    MapOutputId id = write(2);
    assertEquals(MoveResult.NOT_YET, stopped(id));
    begun.move().cancel(true);
    Eventually.holds("it is killed", () -> process().isEmpty());
  }

  private static final int BLOCKS = 5;
  private static final int BYTES_OF_ONE = 200_000;
  private static final String HOME = "blockmgr-1b4e28ba-2fa1-11d2-883f-0016d3cca427";

  private final List<Long> movedBlocks = new ArrayList<>();
  private Path sub = Path.of("");

  private void writeBlocks() throws IOException {
    sub = Files.createDirectories(application(fast).resolve(HOME).resolve("0a"));
    for (int block = 0; block < BLOCKS; block++) {
      Files.write(path(block), content(block));
      Files.setLastModifiedTime(path(block), FileTime.fromMillis(1_000_000 + block));
      node.invariants.keep(path(block));
    }
  }

  private static Path application(LocalDir dir) {
    return TestNode.application(dir, TestNode.APP);
  }

  private Path path(int block) {
    return sub.resolve("shuffle_0_" + block + "_0.data");
  }

  private static byte[] content(int block) {
    byte[] content = new byte[BYTES_OF_ONE];
    new Random(block).nextBytes(content);
    return content;
  }

  private void moveBlocks() {
    DemotionSettings.Marks marks = DemotionSettings.Marks.of(0, true, 0, true);
    Capacity used = Capacity.of(1L << 40, 1L << 39, 1 << 20, 1 << 20);
    try (ColdBlocks cold =
        new ColdBlocks(
            node.tiers(DemotionSettings.of(true, marks, 1L << 30, Duration.ZERO)),
            TestNode.pace(),
            (request, placement) -> {},
            dir -> used)) {
      UserBlocks asUser =
          new UserBlocks(
              batches,
              application -> node.gate(),
              (request, placement) -> movedBlocks.add(request.bytes()));
      Map<LocalDir, Path> folders = Map.of(fast, application(fast), slow, application(slow));
      cold.round(() -> List.of(ColdBlocks.Blocks.ofOther(TestNode.APP, folders, asUser)));
    }
  }

  private void assertBlocksMoved() throws IOException {
    for (int block = 0; block < BLOCKS; block++) {
      assertTrue(Files.isSymbolicLink(path(block)));
      assertTrue(path(block).toRealPath().startsWith(slow.path().toRealPath()));
      assertArrayEquals(content(block), Files.readAllBytes(path(block)));
    }
    assertEquals(List.of(), node.temporary());
  }

  @Test
  void blocksOfSparkAllGoDownByOneProcess() throws IOException {
    writeBlocks();
    moveBlocks();
    assertBlocksMoved();
    assertEquals(1, batches.started());
    assertEquals(BLOCKS, movedBlocks.size());
    moveBlocks();
    assertEquals(1, batches.started(), "there is nothing more to move");
  }

  /** What a user may put in the place of a batch. */
  static final class HostileBatch {
    private static final String HINT = "hostile";

    private HostileBatch() {}

    /** Says what one is to do, in a file of the node. */
    static void tell(Path node, String does) throws IOException {
      Files.writeString(node.resolve(HINT), does);
    }

    public static void main(String[] args) throws Exception {
      Path fast = Path.of(args[5]);
      Path node = Objects.requireNonNull(fast.getParent());
      Path slow = node.resolve("disk");
      // After two dirs: attempt, bytes, dir.
      Path data =
          MapOutputId.of(args[2], args[3], args[9]).relativePath().resolve(MapOutputId.DATA);
      Path copy = slow.resolve(data);
      switch (Files.readString(node.resolve(HINT))) {
        case "floods" -> {
          while (true) {
            System.out.write(new byte[4096]);
          }
        }
        case "stays" -> Thread.sleep(Duration.ofMinutes(10).toMillis());
        case "makes a link to nothing" -> {
          Files.move(fast.resolve(data), fast.resolve("aside"));
          Files.createSymbolicLink(fast.resolve(data), copy);
        }
        case "makes a short copy" -> {
          Files.createDirectories(copy.getParent());
          Files.writeString(copy, "short");
          Files.move(fast.resolve(data), fast.resolve("aside"));
          Files.createSymbolicLink(fast.resolve(data), copy);
        }
        case "moves and fails" -> {
          Files.createDirectories(copy.getParent());
          Files.move(fast.resolve(data), copy);
          Files.createSymbolicLink(fast.resolve(data), copy);
          throw new IllegalStateException("so it seems");
        }
        case "loses the disk" -> {
          Files.move(fast, node.resolve("lost"));
          Files.createFile(fast);
        }
        default -> {}
      }
    }
  }
}
