// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsRoot;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.demotion.MoveStoppedException.MoveResult;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.room.FillGauge;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What the daemon moves over folders that look like small disks, a fast one and a slow one below
 * it, and what stops it: for a while, or for good.
 */
class DemoterTest extends TwoTiers {
  private static final DemotionSettings SETTINGS = TestNode.settings(0.8, 0.5, 1L << 30);

  /** So slow that a move is met in the middle. */
  private static final DemotionSettings SLOW = TestNode.settings(0.8, 0.5, MB / 2);

  private final FolderDisks disks = new FolderDisks();

  // Most tests start one.
  @SuppressWarnings("NullAway.Init")
  @AutoClose
  private Demoter demoter;

  private int rounds;

  @BeforeEach
  void sizes() {
    disks.with(fast.path(), 10 * MB).with(slow.path(), 1000 * MB);
  }

  private LocalDir disk(Medium medium, String name, long bytes) throws IOException {
    LocalDir dir = node.dir(medium, name, LocalDir.NO_CAP);
    disks.with(dir.path(), bytes);
    return dir;
  }

  private void start(DemotionSettings settings) {
    demoter = node.start(settings, disks);
  }

  private void start() {
    start(SETTINGS);
  }

  private void awaitCount(DemotionCounter counter, long value) {
    TestNode.await(counter + "=" + value, demoter, () -> demoter.get(counter) >= value);
    assertCount(value, counter);
  }

  private void assertCount(long value, DemotionCounter counter) {
    assertEquals(value, demoter.get(counter), counter.name());
  }

  /** Waits until the daemon has looked at everything anew, a few times. */
  private void awaitRounds() throws Exception {
    for (int round = 0; round < 3; round++) {
      String application = "application_1700000000000_9" + rounds++;
      Path folder = fast.path().resolve(TestNode.id(application, 0).relativePath());
      Files.createDirectories(folder);
      Files.createSymbolicLink(folder.resolve(Candidate.LINK), folder);
      long before = demoter.get(DemotionCounter.LEFTOVERS_REMOVED);
      node.users.put(application, TestNode.USER);
      awaitCount(DemotionCounter.LEFTOVERS_REMOVED, before + 1);
    }
  }

  @Test
  void whatIsPromisedToFilesBeingWrittenCountsAsWritten() throws Exception {
    node.writeAll(fast, 6, MB);
    Files.createDirectories(NodeMarker.claims(fast.path()));
    try (Placer task = new Placer(node.tiers(), new PlacementListener() {})) {
      start();
      awaitRounds();
      assertEquals(List.of(), node.demoted(fast, 6), "60 % is below the high mark");
      Optional<Placer.Placed> spill =
          task.place(
              task.request("spill0.out", 2 * MB, null), dir -> dir.path().resolve("spill0.out"));
      assertEquals(fast, spill.orElseThrow().placement().dir());
      // The indexes are what is over 8 MB at first and over 5 MB after three moves.
      awaitCount(DemotionCounter.FILES_DEMOTED, 4);
      awaitRounds();
      assertEquals(List.of(0, 1, 2, 3), node.demoted(fast, 6));
    }
  }

  private void assertReadable(int outputs) throws IOException {
    for (int number = 0; number < outputs; number++) {
      node.assertReadable(TestNode.id(number), MB, node.dirs);
    }
  }

  @Test
  void startsAtTheHighMarkAndStopsAtTheLowOneColdestFirst() throws Exception {
    node.writeAll(fast, 7, MB);
    node.fetched.put(TestNode.id(6), 1.0);
    node.fetched.put(TestNode.id(5), 1.0);
    node.fetched.put(TestNode.id(3), 0.5);
    start();
    awaitRounds();
    assertEquals(List.of(), node.demoted(fast, 7), "70 % is below the high mark");
    node.write(fast, 7, MB);
    // 8 outputs and their indexes are 8.00 MB of 10.
    awaitCount(DemotionCounter.FILES_DEMOTED, 4);
    awaitRounds();
    assertEquals(List.of(0, 3, 5, 6), node.demoted(fast, 8));
    assertCount(4 * MB, DemotionCounter.BYTES_DEMOTED);
    assertEquals(
        List.of(TestNode.id(5), TestNode.id(6), TestNode.id(3), TestNode.id(0)), node.moved);
    assertReadable(8);
    assertCount(0, DemotionCounter.DEMOTION_RUNNING);
    assertCount(0, DemotionCounter.DEMOTION_OFF);
    assertCount(0, DemotionCounter.DEMOTION_FAILURES);
  }

  @Test
  void takesACapForTheSize() throws Exception {
    node = new TestNode(temp);
    fast = node.dir(Medium.NVME, "nvme", 10 * MB);
    disks.with(fast.path(), 1000 * MB);
    slow = disk(Medium.DISK, "disk", 1000 * MB);
    node.writeAll(fast, 9, MB);
    start();
    awaitCount(DemotionCounter.FILES_DEMOTED, 5);
    awaitRounds();
    assertEquals(List.of(0, 1, 2, 3, 4), node.demoted(fast, 9));
  }

  @Test
  void leavesAloneWhatIsNotToBeMoved() throws Exception {
    Path folder = fast.path().resolve(node.write(fast, 0, 9 * MB).relativePath());
    Files.delete(folder.resolve(MapOutputId.INDEX));
    MapOutputId writing = node.write(fast, 1, MB);
    Files.write(node.file(fast, writing), new byte[1], StandardOpenOption.APPEND);
    MapOutputId torn = node.write(fast, 2, MB);
    Files.write(node.file(fast, torn).resolveSibling(MapOutputId.INDEX), new byte[40]);
    MapOutputId shared = node.write(fast, 3, MB);
    Files.createLink(temp.resolve("other"), node.file(fast, shared));
    MapOutputId foreign = TestNode.id("application_1700000000000_0002", 4);
    node.write(fast, foreign, MB, 4);
    MapOutputId small = node.write(fast, 5, OutputScanner.SMALLEST_BYTES - 1);
    MapOutputId movable = node.write(fast, 6, MB);
    start();
    awaitCount(DemotionCounter.FILES_DEMOTED, 1);
    awaitRounds();
    assertTrue(node.linked(fast, movable));
    for (MapOutputId id : List.of(TestNode.id(0), writing, torn, shared, foreign, small)) {
      assertTrue(node.holds(fast, id), id::toString);
    }
    assertCount(0, DemotionCounter.DEMOTION_FAILURES);
    // One grew, another has two names.
    node.invariants.dropAll();
  }

  @Test
  void findsTheIndexInAnyDir() throws Exception {
    MapOutputId id = node.write(fast, 0, 9 * MB);
    Path index = node.file(fast, id).resolveSibling(MapOutputId.INDEX);
    Path elsewhere = Files.createDirectories(slow.path().resolve(id.relativePath()));
    Files.move(index, elsewhere.resolve(MapOutputId.INDEX));
    start();
    awaitCount(DemotionCounter.FILES_DEMOTED, 1);
    node.assertReadable(id, 9 * MB, node.dirs);
  }

  @Test
  void saysWhenNoSlowerTierHasRoom() throws Exception {
    node = new TestNode(temp);
    fast = disk(Medium.NVME, "nvme", 10 * MB);
    slow = node.dir(Medium.DISK, "disk", MB);
    node.write(fast, 0, 9 * MB);
    start();
    Eventually.holds("it says so", () -> demoter.get(DemotionCounter.DEMOTION_NO_ROOM) > 0);
    assertTrue(node.holds(fast, TestNode.id(0)));
    assertCount(0, DemotionCounter.DEMOTION_FAILURES);
  }

  private File partial(MapOutputId id) {
    return slow.path().resolve(id.relativePath()).resolve(Candidate.COPY).toFile();
  }

  private void startAndAwaitPart(MapOutputId id) {
    start(SLOW);
    Eventually.holds("a part is copied", () -> partial(id).length() > 0);
  }

  @Test
  void yieldsToShuffleReadsOfTheSlowDevice() throws Exception {
    MapOutputId id = node.write(fast, 0, 8 * MB + MB / 2);
    node.reserve = Reserve.ofBytes(MB);
    node.busy = dir -> dir.equals(slow) && partial(id).length() > 0;
    start();
    Eventually.holds("it pauses", () -> demoter.get(DemotionCounter.DEMOTION_PAUSED) == 1);
    assertCount(1, DemotionCounter.DEMOTION_RUNNING);
    node.busy = dir -> false;
    awaitCount(DemotionCounter.FILES_DEMOTED, 1);
    assertCount(0, DemotionCounter.DEMOTION_PAUSED);
  }

  @Test
  void doesNotStarveOnceFilesSpill() throws Exception {
    node.write(fast, 0, 9 * MB + MB / 2);
    node.busy = slow::equals;
    start();
    awaitCount(DemotionCounter.FILES_DEMOTED, 1);
  }

  @Test
  void theEndOfAnApplicationWaitsUntilNothingIsLeftOfItsMove() throws Exception {
    MapOutputId id = node.write(fast, 0, 9 * MB);
    startAndAwaitPart(id);
    node.users.remove(TestNode.APP);
    demoter.applicationEnded(TestNode.APP);
    // A busy machine may take longer than that waits.
    Eventually.holds("it is taken back", () -> !partial(id).exists());
    assertTrue(node.holds(fast, id), "it is the NodeManager's to delete");
    TestNode.deleteApplication(slow, TestNode.APP);
    TestNode.deleteApplication(fast, TestNode.APP);
    awaitRounds();
    for (LocalDir dir : node.dirs) {
      assertFalse(Files.exists(TestNode.application(dir, TestNode.APP)));
    }
    assertCount(1, DemotionCounter.DEMOTIONS_GIVEN_UP);
  }

  @Test
  void closingTakesAMoveBack() throws Exception {
    MapOutputId id = node.write(fast, 0, 9 * MB);
    startAndAwaitPart(id);
    demoter.close();
    Eventually.holds("it is taken back", () -> node.temporary().isEmpty());
    assertTrue(node.holds(fast, id));
    assertCount(0, DemotionCounter.DEMOTION_FAILURES);
  }

  @Test
  void survivesADirThatFails() throws Exception {
    LocalDir other = disk(Medium.NVME, "nvme2", 10 * MB);
    node.write(fast, 0, 9 * MB);
    node.write(other, 1, 9 * MB);
    disks.fail(fast.path());
    start();
    awaitCount(DemotionCounter.FILES_DEMOTED, 1);
    assertTrue(node.linked(other, TestNode.id(1)));
    Eventually.holds("it is counted", () -> demoter.get(DemotionCounter.DEMOTION_FAILURES) > 0);
    disks.with(fast.path(), 10 * MB);
    awaitCount(DemotionCounter.FILES_DEMOTED, 2);
  }

  @Test
  void doesNothingWhereItIsSwitchedOffButClean() throws Exception {
    node.write(fast, 0, 9 * MB);
    start(DemotionSettings.of(false, SETTINGS.marks(), 1, Duration.ZERO));
    awaitRounds();
    assertTrue(node.holds(fast, TestNode.id(0)));
    assertEquals("temptier.demotion.enabled is false", demoter.offReason().orElseThrow());
    assertCount(1, DemotionCounter.DEMOTION_OFF);
  }

  @Test
  void isOffWithOneTier() throws Exception {
    node = new TestNode(temp);
    fast = disk(Medium.NVME, "nvme", 10 * MB);
    node.write(fast, 0, 9 * MB);
    start();
    awaitRounds();
    assertTrue(
        demoter.offReason().orElseThrow().contains("one tier"), demoter.offReason()::toString);
    assertCount(0, DemotionCounter.DEMOTION_FAILURES);
  }

  @Test
  void isOffWhileNobodyKnowsWhatRuns() throws Exception {
    node.write(fast, 0, 9 * MB);
    node.applicationsKnown = false;
    start();
    Eventually.holds("it is off", () -> demoter.offReason().isPresent());
    assertTrue(node.holds(fast, TestNode.id(0)));
    node.applicationsKnown = true;
    awaitCount(DemotionCounter.FILES_DEMOTED, 1);
    assertCount(0, DemotionCounter.DEMOTION_OFF);
    assertTrue(demoter.offReason().isEmpty());
  }

  @Test
  @NeedsRoot
  void isOffForGoodWhereOutputsBelongToOthers() throws Exception {
    MapOutputId id = node.write(fast, 0, 9 * MB);
    Path folder = fast.path().resolve(id.relativePath());
    Files.setAttribute(folder, "unix:uid", 12345);
    start();
    Eventually.holds("it is off", () -> demoter.offReason().isPresent());
    assertTrue(
        demoter.offReason().orElseThrow().contains("LinuxContainerExecutor"),
        demoter.offReason()::toString);
    Files.setAttribute(folder, "unix:uid", FileStamp.of(temp).uid());
    awaitRounds();
    assertTrue(node.holds(fast, id), "an owner does not change");
    assertCount(1, DemotionCounter.DEMOTION_OFF);
  }

  /** Those of MapReduce and of Tez 0.10.5, and nothing that looks like them. */
  @Test
  void spillsOfTezStayAndItsFinalOutputsGo() throws Exception {
    String tez = "attempt_1418684642047_0006_1_00_000000_0_10003";
    String mapReduce = "attempt_1418684642047_0006_m_000003_1";
    List<MapOutputId> others =
        Stream.of(
                tez + "_0",
                tez + "_1",
                "attempt_1418684642047_0006_1_00_000000_0",
                mapReduce + "_2",
                "attempt_1418684642047_0006_m_000003",
                "attempt_1418684642047_0006_r_000003_1",
                "attempt_of_somebody",
                "attempt_",
                "_temporary")
            .map(DemoterTest::id)
            .toList();
    // Of a pipelined shuffle, whose spills are fetched, the first is the coldest.
    node.fetched.put(others.get(0), 1.0);
    for (MapOutputId id : others) {
      node.write(fast, id, BYTES, 0);
    }
    node.write(fast, id(tez), BYTES, 1);
    node.write(fast, id(mapReduce), BYTES, 1);
    node.demoteAll(fast, 0, id(tez), id(mapReduce));
    for (MapOutputId id : others) {
      assertTrue(node.holds(fast, id), id::attempt);
    }
  }

  /** The shuffle handler of Tez is another one, which has a folder for each DAG. */
  @Test
  void whatTheHandlerOfTezServesStays() throws Exception {
    MapOutputId output = node.write(fast, 7, BYTES);
    MapOutputId looked = node.write(fast, 8, BYTES);
    Path outputs = fast.path().resolve(MapOutputId.outputs(TestNode.USER, TestNode.APP));
    Path dag = Files.createDirectory(outputs.resolveSibling("dag_1"));
    Path own = dag.resolve("output/attempt_1700000000000_0001_1_00_000000_0_10003");
    Files.createDirectories(own.getParent());
    Files.move(outputs.resolve(output.attempt()), own);
    node.invariants.drop(node.file(fast, output)::equals);
    node.invariants.keep(own.resolve(MapOutputId.DATA));
    node.demoteAll(fast, 0, looked);
    assertTrue(Files.isRegularFile(own.resolve(MapOutputId.DATA), LinkOption.NOFOLLOW_LINKS));
  }

  private static MapOutputId id(String attempt) {
    return MapOutputId.of(TestNode.USER, TestNode.APP, attempt);
  }

  @Test
  void whatIsInUseStaysUntilOthersTakeTheReserve() throws Exception {
    LocalDir nvme = node.dir(Medium.NVME, "shared", LocalDir.NO_CAP);
    node.writeAll(nvme, 9, MB);
    node.reserve = Reserve.ofBytes(200 * MB);
    disks.with(nvme.path(), 1000 * MB);
    disks.othersUse(nvme.path(), 780 * MB);
    Set<MapOutputId> cold = ConcurrentHashMap.newKeySet();
    Set<MapOutputId> moved = ConcurrentHashMap.newKeySet();
    FillGauge gauge = gauge(nvme, System::currentTimeMillis);
    DirDrain drain =
        drain(nvme, gauge, 0.75, each -> moved.add(each.id()), each -> cold.contains(each.id()));
    drain.round(node.users);
    assertEquals(Set.of(), moved, "above the high mark, and all in use");

    cold.add(TestNode.id(3));
    Eventually.holds("the cold one goes", () -> after(drain, moved) > 0);
    assertEquals(Set.of(TestNode.id(3)), moved);

    disks.othersUse(nvme.path(), 795 * MB);
    Eventually.holds("others have the reserve, so that more go", () -> after(drain, moved) > 1);
  }

  private int after(DirDrain drain, Set<MapOutputId> moved) throws IOException {
    drain.round(node.users);
    return moved.size();
  }

  private FillGauge gauge(LocalDir dir, LongSupplier clockMillis) {
    NodeTiers tiers = node.tiers();
    return new FillGauge(dir, tiers.layout().tiers().get(0), tiers.settings(), disks, clockMillis);
  }

  /** A drain whose moves do nothing but tell what they would move. */
  private DirDrain drain(
      LocalDir dir,
      FillGauge gauge,
      double high,
      Consumer<Candidate> moves,
      Predicate<Candidate> cold)
      throws IOException {
    return new DirDrain(
        dir,
        gauge,
        TestNode.settings(high, 0.5, 1).marks(),
        (batch, told) -> {
          batch.forEach(moves.andThen(told));
          batch.clear();
          return MoveResult.MOVED;
        },
        node.uid(),
        new OutputScanner(node, node.context(), new DemotionTally()),
        cold);
  }

  /** What was moved an hour ahead of now is no reason to wait for that hour. */
  @Test
  void aCappedDirIsDrainedOnWhenTheClockWasSetBack() throws Exception {
    LocalDir capped = node.dir(Medium.NVME, "capped", 10 * MB);
    node.writeAll(capped, 9, MB);
    long hour = Duration.ofHours(1).toMillis();
    AtomicLong clockMillis = new AtomicLong(System.currentTimeMillis() + hour);
    AtomicLong moves = new AtomicLong();
    disks.with(capped.path(), 1000 * MB);
    FillGauge gauge = gauge(capped, clockMillis::get);
    DirDrain drain = drain(capped, gauge, 0.8, each -> moves.incrementAndGet(), each -> true);
    drain.round(node.users);
    long first = moves.get();
    assertTrue(first > 0, "nothing was moved");
    drain.round(node.users);
    assertEquals(first, moves.get(), "the dir was not counted since");
    clockMillis.addAndGet(-hour);
    // Nothing was in fact moved, so that there is as much to move as before.
    Eventually.holds(
        "it is drained on",
        () -> {
          clockMillis.incrementAndGet();
          drain.round(node.users);
          return moves.get() > first;
        });
  }
}
