// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsRoot;
import io.temptier.shuffle.demotion.move.Candidate;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.FileStamp;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.settings.DemotionSettings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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

  // Each test starts one.
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
}
