// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.Programs;
import io.temptier.testing.DiskBed;
import io.temptier.testing.LeakCheck;
import io.temptier.tier.DirHealth;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.claim.Claims;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementListener;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import io.temptier.tier.room.Backoff;
import io.temptier.tier.room.DirGauge;
import io.temptier.tier.room.DirView;
import io.temptier.tier.room.PublishedDevices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakCheck.class)
class PlacerTest extends DiskBed {
  private final List<Placer> placers = new ArrayList<>();
  private final List<String> heard = new ArrayList<>();
  private final PlacementListener listening =
      new PlacementListener() {
        @Override
        public void placed(PlacementRequest request, Placement placement) {
          heard.add("placed " + placement.dir().medium());
        }

        @Override
        public void dirFailed(LocalDir dir, String error) {
          heard.add("failed " + dir.medium() + " " + error);
        }
      };
  private LocalDir fast;
  private LocalDir slow;

  @BeforeEach
  void makeRoots() throws IOException {
    fast = dir("fast", Medium.NVME, 10 * GB, 5 * GB);
    slow = dir("slow", Medium.DISK, 100 * GB, 50 * GB);
  }

  @AfterEach
  void closePlacers() {
    placers.forEach(Placer::close);
  }

  /** Claims all of a dir and says so; lives until it is killed. */
  public static final class Job {
    public static void main(String[] args) throws IOException {
      Claims claims = new Claims(Layouts.claimsOf(Path.of(args[0])), System::currentTimeMillis);
      System.out.println(claims.claim(5 * GB).isPresent());
      System.in.read();
    }
  }

  @Test
  void whatIsAskedRightAfterAJobWasKilledFindsTheFastTierFree() throws Exception {
    long bytes = 200_000;
    Process job = Programs.start(Programs.java(Job.class, fast.path()));
    try {
      assertEquals("true", job.inputReader().readLine());
      // Its lease runs all the time from here on, however long this takes.
      clock.step(Duration.ofMillis(System.currentTimeMillis() - clock.millis()));
      assertEquals(slow, place("before", bytes).dir());
      assertTrue(job.destroyForcibly().waitFor() != 0);
      clock.advance(DirGauge.MOMENT);
      for (int i = 0; i < 200; i++) {
        assertEquals(fast, place("after" + i, bytes).dir());
      }
    } finally {
      job.destroyForcibly();
    }
  }

  @Test
  void filesThatAreSoonCompleteFallEvenlyOnEqualDisks() throws IOException {
    List<LocalDir> dirs = new ArrayList<>();
    for (String name : List.of("hdd0", "hdd1", "hdd2")) {
      dirs.add(dir(name, Medium.DISK, 100 * GB, 50 * GB));
    }
    Random sizes = new Random(7);
    for (int round = 0; round < 4; round++) {
      Placer placer = placer(dirs.toArray(LocalDir[]::new));
      Map<LocalDir, Long> bytes = new HashMap<>();
      for (int file = 0; file < 60; file++) {
        long size = (1 + sizes.nextInt(30)) * MB;
        String name = round + "-" + file;
        LocalDir dir = place(placer, name, size).dir();
        Layouts.sparse(dir.path().resolve(name), size);
        placer.settle(dir.path().resolve(name));
        Eventually.holds("its claim has ended", () -> claimed(dir) == 0);
        bytes.merge(dir, size, Long::sum);
        clock.advance(Duration.ofSeconds(2));
      }
      long all = bytes.values().stream().mapToLong(Long::longValue).sum();
      for (long ofDir : bytes.values()) {
        assertTrue(ofDir * dirs.size() <= 1.15 * all, bytes::toString);
      }
    }
  }

  @Test
  void unknownSizesSpillInTime() {
    int onFast = 0;
    while (place("spill" + onFast + ".out", -1).dir().medium() == Medium.NVME) {
      onFast++;
    }
    assertEquals(4 * GB / (64 * MB) - 1, onFast, "each counts as 64 MB, and an exact fit is none");
  }

  @Test
  void smallFilesAreNotClaimedFor() {
    place("file.out.index", -1);
    place("x", Placer.SMALLEST_CLAIM_BYTES - 1);
    assertEquals(0, claimed(fast));
    place("y", Placer.SMALLEST_CLAIM_BYTES);
    assertEquals(Placer.SMALLEST_CLAIM_BYTES, claimed(fast));
  }

  @Test
  void aFullDirIsNotReadForEachFileThatItRefuses() throws IOException {
    Placer placer = placer();
    clock.advance(DirGauge.MOMENT);
    place("first", 5 * GB);
    int probes = disk.probes();
    for (int i = 0; i < 100; i++) {
      assertEquals(Medium.DISK, place("large" + i, 5 * GB).dir().medium());
    }
    int refused = disk.probes() - probes;
    assertTrue(refused <= 100, refused + " looks, of which a claim on the slow dir takes one");
    placer.settleAll(null);
    disk.set(fast.path(), 10 * GB, 9 * GB);
    clock.advance(DirGauge.MOMENT);
    assertEquals(Medium.NVME, place("later", 5 * GB).dir().medium());
  }

  @Test
  void whatEveryRaceLosesGoesDown() throws IOException {
    // A rival whose claim is there whenever this process looks after having claimed.
    Capacity.Probe racing =
        dir -> {
          boolean mine = claimed(fast) > 0;
          Capacity capacity = disk.probe(dir);
          return mine && dir.equals(fast.path())
              ? Capacity.of(capacity.totalBytes(), GB, 0, 0)
              : capacity;
        };
    Placer racer = placer(racing, listening, fast, slow);
    assertPlaced(slow, Reason.RACED, place(racer, "a", GB));
    assertEquals(0, claimed(fast), "nothing stays claimed where it lost");
  }

  @Test
  @NeedsLoopDisk
  void whereNoClaimCanBeMadeFilesGoToTheNextTier() throws IOException {
    try (LoopDisk loop = LoopDisk.create(temp, 16 << 20)) {
      fast = dirWithoutClaims(loop, "fast", Medium.NVME);
      assertEquals(fast, place("a", GB).dir());
      loop.remountReadOnly();
      assertPlaced(slow, Reason.SET_ASIDE, "b", GB);
      assertEquals(GB, claimed(slow));
      assertEquals(slow, place("small", 1).dir(), "that needs no claim");
      clock.advance(Duration.ofSeconds(1));
      assertEquals(slow, place("later", 1).dir(), "it was found to take no files at all");
      placer().close();
    }
  }

  @Test
  @NeedsLoopDisk
  void whereNoClaimCanBeMadeAnywhereFilesGoToTheSlowestTier() throws IOException {
    try (LoopDisk loop = LoopDisk.create(temp, 16 << 20)) {
      fast = dirWithoutClaims(loop, "fast", Medium.NVME);
      slow = dirWithoutClaims(loop, "slow", Medium.DISK);
      placer().gauges.view();
      loop.remountReadOnly();
      assertPlaced(slow, Reason.OVER_RESERVE, "c", GB);
      placer().close();
    }
  }

  private LocalDir dirWithoutClaims(LoopDisk loop, String name, Medium medium) throws IOException {
    Path root = Layouts.root(loop.path().resolve(name));
    disk.set(root, 10 * GB, 5 * GB);
    return Layouts.dir(root, medium);
  }

  @Test
  void overTheReserveFilesGoWhereStockWouldSlowestFirst() {
    disk.set(fast.path(), 10 * GB, GB / 2);
    disk.set(slow.path(), 100 * GB, 4 * GB);
    Placement placement = assertPlaced(slow, Reason.OVER_RESERVE, "a", 3 * GB);
    assertEquals(List.of(Placement.Refusal.of(Medium.NVME, Reason.FULL, 0)), placement.refusals());
    assertEquals(Optional.empty(), tryPlace("c", 4 * GB), "no dir has so much at all");
  }

  @Test
  void overTheReserveClaimsAreKeptToWhileThereIsRoom() throws IOException {
    LocalDir other = dir("other", Medium.SSD, 100 * GB, 9 * GB);
    disk.set(slow.path(), 100 * GB, 4 * GB);
    Placer placer = placer(other, slow);
    assertEquals(slow, place(placer, "a", 3 * GB).dir());
    assertEquals(other, place(placer, "b", 3 * GB).dir(), "1 GB is not claimed on the slow one");
    assertEquals(slow, place(placer, "c", 3 * GB).dir(), "now as stock, which knows no claims");
  }

  @Test
  void aDirThatCannotBeWrittenIsSetAsideAndTriedAgain() {
    disk.makeReadOnly(fast.path());
    assertEquals(slow, place("a", MB).dir());
    assertEquals(
        List.of("failed NVME java.io.IOException: Read-only file system", "placed DISK"), heard);
    assertEquals(slow, place("b", MB).dir());
    assertEquals(3, heard.size(), "it was not asked again");
    assertEquals(0, claimed(fast));
    assertFalse(read().contains(fast));
    assertEquals(1, placer().gauges.of(fast).backoff().total());
    disk.set(fast.path(), 10 * GB, 5 * GB);
    clock.advance(Backoff.FIRST);
    assertEquals(fast, place("c", MB).dir());
    assertTrue(read().contains(fast));
  }

  @Test
  void aCapGivesWayBeforeADirThatIsSetAsideIsTried() {
    LocalDir capped = Layouts.dir(slow.path(), Medium.DISK, 1);
    Placer placer = placer(fast, capped);
    disk.makeReadOnly(fast.path());
    assertEquals(capped, place(placer, "a", MB).dir());
    disk.set(fast.path(), 10 * GB, 5 * GB);
    assertEquals(capped, place(placer, "b", MB).dir());
  }

  @Test
  void aDirThatIsSetAsideIsTriedOnceNoOtherTakesTheFile() {
    disk.makeReadOnly(fast.path());
    assertEquals(slow, place("a", MB).dir());
    disk.set(slow.path(), 100 * GB, 0);
    assertEquals(Optional.empty(), tryPlace("b", MB));
    disk.set(fast.path(), 10 * GB, 5 * GB);
    assertPlaced(fast, Reason.OVER_RESERVE, "c", MB);
    assertTrue(read().contains(fast));
  }

  private List<LocalDir> read() {
    return placer().gauges.view().stream().map(DirView::dir).toList();
  }

  /** Or it would draw every file to it. */
  @Test
  void aDirThatWasEmptiedIsUsedAgainOnlyWhenItIsSetUpAgain() throws IOException {
    assertEquals(fast, place("a", 1).dir());
    Path claims = Layouts.claimsOf(fast.path());
    for (String ledger : claims.toFile().list()) {
      Files.delete(claims.resolve(ledger));
    }
    Files.delete(claims);
    clock.advance(Duration.ofSeconds(1));
    assertEquals(slow, place("b", 1).dir());
    Layouts.root(fast.path());
    clock.advance(Duration.ofSeconds(1));
    assertEquals(fast, place("c", 1).dir());
  }

  @Test
  void anOddPathCostsNobodyTheDir() {
    Placer.PathMaker odd =
        dir -> {
          if (dir.equals(fast)) {
            throw new Placer.PathRefusedException(new IOException("a is a file"));
          }
          return dir.path().resolve("a/b");
        };
    Placement placement =
        placer().place(placer().request("a/b", MB, null), odd).orElseThrow().placement();
    assertEquals(slow, placement.dir());
    assertEquals(fast, place("c", MB).dir());
    assertThrows(
        IllegalArgumentException.class,
        () ->
            placer()
                .place(
                    placer().request("d", MB, null),
                    dir -> {
                      throw new IllegalArgumentException("no path at all");
                    }));
    assertEquals(fast, place("e", MB).dir());
    assertEquals(2 * MB, claimed(fast), "what was not made is not claimed");
  }

  @Test
  void aHungSlowDirDoesNotDelayAFileForTheFastOne() {
    disk.hang(slow.path());
    assertEquals(fast, place("a", MB).dir());
    assertEquals(0, disk.hanging());
    disk.release(slow.path());
  }

  @Test
  void aSlowDirIsPassedOverWhileAnotherTierHasRoom() throws IOException {
    publish(Map.of(fast, DirHealth.SLOW));
    Placement placement = assertPlaced(slow, Reason.SLOW, "a", GB);
    assertEquals(List.of(Placement.Refusal.of(Medium.NVME, Reason.SLOW, 0)), placement.refusals());
    publish(Map.of());
    clock.advance(Duration.ofSeconds(2));
    assertEquals(fast, place("b", GB).dir());

    publish(Map.of(fast, DirHealth.SLOW));
    clock.advance(Duration.ofSeconds(2));
    assertEquals(slow, place("c", MB).dir());
    clock.advance(Duration.ofSeconds(10));
    assertEquals(fast, place("d", MB).dir(), "its NodeManager is gone");
  }

  @Test
  void ofOneTierTheDirThatIsNotSlowIsTaken() throws IOException {
    LocalDir sound = dir("sound", Medium.NVME, 10 * GB, 3 * GB);
    publish(Map.of(fast, DirHealth.SLOW));
    Placer placer = placer(fast, sound, slow);
    assertPlaced(sound, Reason.FASTEST, place(placer, "a", GB));
    assertEquals(slow, place(placer, "b", 2 * GB).dir(), "the slow one would have had room");
  }

  @Test
  void aSlowDirIsStillBetterThanTheReserveOfOthers() throws IOException {
    publish(Map.of(fast, DirHealth.SLOW));
    disk.set(slow.path(), 100 * GB, 11 * GB);
    assertPlaced(fast, Reason.FASTEST, "a", 2 * GB);
    assertEquals(2 * GB, claimed(fast));
  }

  @Test
  void aDirThatHangsIsNotTouchedByWhoHeardOfIt() throws IOException {
    publish(Map.of(fast, DirHealth.HUNG));
    disk.hang(fast.path());
    assertPlaced(slow, Reason.SET_ASIDE, "a", MB);
    assertFalse(read().contains(fast));
    // Nothing has room, and yet it is not the last resort.
    disk.set(slow.path(), 100 * GB, 5 * GB);
    placer().settleAll(null);
    clock.advance(Duration.ofSeconds(2));
    publish(Map.of(fast, DirHealth.HUNG));
    assertEquals(slow, place("b", MB).dir());
    assertEquals(0, disk.hanging());
    disk.release(fast.path());
    clock.advance(Duration.ofSeconds(2));
    publish(Map.of());
    assertEquals(fast, place("c", MB).dir());
  }

  @Test
  void aDirThatIsEmptiedGetsFilesOnlyWhenNoOtherTakesThem() throws IOException {
    Path mark = fast.path().resolve(NodeMarker.DIR).resolve(NodeMarker.DRAIN);
    assertEquals(fast, place("a", MB).dir());
    Files.createFile(mark);
    clock.advance(Duration.ofSeconds(2));
    assertPlaced(slow, Reason.DRAINING, "b", MB);
    disk.set(slow.path(), 100 * GB, 5 * GB);
    placer().settleAll(null);
    clock.advance(Duration.ofSeconds(2));
    assertEquals(slow, place("c", MB).dir(), "into the reserve of another first");
    disk.set(slow.path(), 100 * GB, 0);
    placer().settleAll(null);
    clock.advance(Duration.ofSeconds(2));
    assertEquals(fast, place("d", MB).dir(), "stock would have written there");
    Files.delete(mark);
    clock.advance(Duration.ofSeconds(2));
    assertPlaced(fast, Reason.FASTEST, "e", MB);
  }

  /** Says it where it is read: in the fastest dir that answers. */
  private void publish(Map<LocalDir, DirHealth> health) throws IOException {
    Map<String, PublishedDevices.Device> devices = new HashMap<>();
    health.forEach(
        (dir, state) -> devices.put(dir.path().toString(), PublishedDevices.Device.of(state, 0)));
    LocalDir in = health.get(fast) == DirHealth.HUNG ? slow : fast;
    PublishedDevices.of(clock.millis(), devices)
        .write(in.path().resolve(NodeMarker.DIR).resolve(NodeMarker.DEVICES));
  }

  @Test
  void whereEveryDirHangsStockDecides() throws IOException {
    publish(Map.of(fast, DirHealth.HUNG, slow, DirHealth.HUNG));
    assertTrue(placer().place(placer().request("a", MB, null), dir -> dir.path()).isEmpty());
  }

  @Test
  void thatEveryDirWereSlowCostsNobodyAnything() throws IOException {
    // Nobody but the NodeManager can say so; should it, files go where they always went.
    publish(Map.of(fast, DirHealth.SLOW, slow, DirHealth.SLOW));
    assertEquals(fast, place("a", GB).dir());
    assertEquals(slow, place("b", 4 * GB).dir());
    disk.set(fast.path(), 10 * GB, 0);
    disk.set(slow.path(), 100 * GB, 5 * GB);
    placer().settleAll(null);
    assertEquals(Reason.OVER_RESERVE, place("c", GB).reason());
  }

  @Test
  void aDirThatNoNodeManagerKeepsIsUsed() throws IOException {
    Files.delete(Layouts.claimsOf(fast.path()));
    assertEquals(fast, place(placer(fast, slow), "a", 1).dir());
  }

  @Test
  void aListenersFailureIsItsOwn() {
    PlacementListener failing =
        new PlacementListener() {
          @Override
          public void placed(PlacementRequest request, Placement placement) {
            throw new IllegalStateException("placed");
          }

          @Override
          public void settled(PlacementRequest request, Placement placement, long bytes) {
            throw new NoClassDefFoundError("settled");
          }

          @Override
          public void dirFailed(LocalDir dir, String error) {
            throw new IllegalStateException("dirFailed");
          }
        };
    Placer placer = placer(disk, failing, fast, slow);
    disk.makeReadOnly(fast.path());
    assertEquals(slow, place(placer, "a", MB).dir());
    placer.settleAll(null);
    assertEquals(0, placer.writing());
  }

  @Test
  void aClosedPlacerLeavesNoClaims() {
    place("a", GB);
    placer().close();
    assertEquals(0, Layouts.claimsOf(fast.path()).toFile().list().length);
    place("late", GB);
    // Nobody would ever release it. What is given up, others see a moment later.
    Eventually.holds("nothing is claimed", () -> claimed(fast) == 0);
    assertEquals(0, placer().writing());
  }

  private long claimed(LocalDir dir) {
    return promised(dir).bytes();
  }

  private Placement assertPlaced(LocalDir dir, Reason why, String path, long bytes) {
    return assertPlaced(dir, why, place(path, bytes));
  }

  private static Placement assertPlaced(LocalDir dir, Reason why, Placement placement) {
    assertEquals(dir, placement.dir());
    assertEquals(why, placement.reason());
    return placement;
  }

  private Placement place(String path, long bytes) {
    return place(placer(), path, bytes);
  }

  private Placement place(Placer placer, String path, long bytes) {
    return placed(placer, path, bytes).placement();
  }

  private Optional<Placer.Placed> tryPlace(String path, long bytes) {
    return placer().place(placer().request(path, bytes, null), dir -> disk.make(dir.path(), path));
  }

  /** Over both dirs, made at its first use. */
  private Placer placer() {
    return placers.isEmpty() ? placer(fast, slow) : placers.get(0);
  }

  private Placer placer(LocalDir... dirs) {
    return placer(disk, listening, dirs);
  }

  private Placer placer(Capacity.Probe probe, PlacementListener listener, LocalDir... dirs) {
    NodeTiers tiers = Layouts.tiers(Reserve.ofFraction(0.1), Layouts.SETTINGS, dirs);
    return placer(tiers, probe, listener);
  }

  private Placer placer(NodeTiers tiers, Capacity.Probe probe, PlacementListener listener) {
    Placer placer = new Placer(tiers, listener, probe, clock::millis, clock::nanos);
    placers.add(placer);
    return placer;
  }

  /** Places a file that is not written. */
  private Placer.Placed placed(Placer placer, String path, long bytes) {
    return placer
        .place(placer.request(path, bytes, null), dir -> disk.make(dir.path(), path))
        .orElseThrow();
  }

  private static final String PART = "output/attempt_1_0001_1_00_000000_0_10003";

  /** Tez's sorter gives no size for what it merges its spills to; its spills do. */
  @ParameterizedTest
  @ValueSource(strings = {"", "dag_1/"})
  void anOutputOfTezIsAsLargeAsItsSpills(String folder) throws IOException {
    spill(folder + PART + "_0/file.out", 80 * MB);
    spill(folder + PART + "_1/file.out", 90 * MB);
    // Of another output of the same task, and of the same output's number in another task.
    spill(folder + "output/attempt_1_0001_1_00_000000_0_10004_0/file.out", 7 * MB);
    spill(folder + "output/attempt_1_0001_1_00_000001_0_10003_0/file.out", 7 * MB);
    PlacementRequest output = placer().request(folder + PART + "/file.out", 0, null);
    assertEquals(170 * MB, output.bytes());
    assertTrue(output.sizeKnown());
  }

  @Test
  void withoutSpillsOfTezAnOutputIsUnknown() throws IOException {
    assertUnknown(PART + "/file.out");
    // Spills of MapReduce, which gives the size of what it merges.
    spill("output/attempt_1_0001_m_000000_0_spill_0.out", 80 * MB);
    assertUnknown("output/attempt_1_0001_m_000000_0/file.out");
    // A spill that was deleted is not merged.
    Files.delete(spill(PART + "_0/file.out", 80 * MB));
    assertUnknown(PART + "/file.out");
  }

  @Test
  void spillsOfTheLastOutputsOfTezAreRemembered() throws IOException {
    String part = "output/attempt_1_0001_1_00_%06d_0_10003%s/file.out";
    for (int task = 0; task < 200; task++) {
      spill(String.format(part, task, "_0"), MB);
    }
    assertUnknown(String.format(part, 0, ""));
    assertEquals(MB, placer().request(String.format(part, 199, ""), 0, null).bytes());
  }

  private void assertUnknown(String output) {
    PlacementRequest request = placer().request(output, 0, null);
    assertEquals(TierSettings.DEFAULT.unknownSizeBytes(), request.bytes());
    assertFalse(request.sizeKnown());
  }

  /** Places a spill and writes it. */
  private Path spill(String path, long bytes) throws IOException {
    Path file = placed(placer(), path, bytes).file();
    Files.createDirectories(file.getParent());
    return Layouts.sparse(file, bytes);
  }

  @Test
  void aLookForUnseenFilesThatIsLateClaimsNothing() throws IOException {
    Path home = Files.createDirectories(fast.path().resolve("blockmgr-1"));
    UnseenFiles unseen = new UnseenFiles(Map.of(home, fast), placer());
    Files.write(home.resolve("native"), new byte[(int) MB]);
    unseen.look();
    assertEquals(MB, claimed(fast));
    unseen.close();
    assertEquals(0, claimed(fast));
    // As one that hung with its disk.
    unseen.look();
    assertEquals(0, claimed(fast));
  }

  /** {@code spark.diskStore.subDirectories} may be thousands. */
  @Test
  void whatWasPlacedIsNoUnseenFileInAnyOfManyFolders() throws IOException {
    Path home = Files.createDirectories(fast.path().resolve("blockmgr-1"));
    UnseenFiles unseen = new UnseenFiles(Map.of(home, fast), placer());
    for (String folder : List.of("0a", "7f", "100", "1387")) {
      Path file = Files.createDirectories(home.resolve(folder)).resolve("rdd_1_" + folder);
      Files.write(file, new byte[(int) MB]);
      unseen.placed(fast, file.getFileName().toString());
    }
    unseen.look();
    assertEquals(0, claimed(fast));
    unseen.close();
  }

  static LongStream seeds() {
    // The first once overcommitted: claims in other dirs of the device were read too seldom.
    return LongStream.concat(LongStream.of(-3679377179432490238L), new Random().longs(20));
  }

  /** On random nodes; a failure names its seed. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void noPlacementGoesBelowTheReserve(long seed) throws IOException {
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    List<Medium> media = List.of(Medium.values());
    Map<Path, Long> free = new HashMap<>();
    List<LocalDir> dirs = new ArrayList<>();
    long total = 100 * GB;
    for (int i = 0; i < 1 + random.nextInt(6); i++) {
      Path root = temp.resolve(seed + "d" + i);
      // A folder of claims or none: both must add up within one process.
      root = random.nextBoolean() ? Layouts.root(root) : root;
      dirs.add(Layouts.dir(root, media.get(random.nextInt(media.size()))));
      long usable = (long) (random.nextDouble() * total);
      free.put(root, usable);
      disk.set(root, total, usable);
    }
    Reserve reserve = Reserve.ofFraction(random.nextInt(30) / 100.0);
    NodeTiers tiers =
        Layouts.tiers(
            reserve,
            // No claim ends for being idle: the thread that keeps them may come by at any time.
            Layouts.SETTINGS.toBuilder().claimIdle(Duration.ofHours(1)).build(),
            dirs.toArray(new LocalDir[0]));
    Map<Path, Long> promised = new HashMap<>();
    Placer placer = placer(tiers, disk, listening);
    for (int i = 0; i < 200; i++) {
      long bytes = 1 + (long) (random.nextDouble() * (4 * GB));
      String name = "f" + i;
      Optional<Placer.Placed> placed =
          placer.place(placer.request(name, bytes, null), dir -> disk.make(dir.path(), "f" + name));
      if (placed.isPresent() && placed.get().placement().reason() != Reason.OVER_RESERVE) {
        promised.merge(placed.get().placement().dir().path(), bytes, Long::sum);
      }
      if (random.nextInt(10) == 0) {
        clock.advance(Duration.ofSeconds(1));
      }
    }
    // All dirs lie on one device here, so each one's claims count against every other's too.
    long sum = promised.values().stream().mapToLong(Long::longValue).sum();
    long emptiest = free.values().stream().mapToLong(Long::longValue).max().orElse(0);
    assertTrue(sum <= Math.max(0, emptiest - reserve.bytesOf(total)), "seed " + seed);
    promised.forEach(
        (root, bytes) -> {
          long above = free.getOrDefault(root, 0L) - reserve.bytesOf(total);
          assertTrue(bytes <= above, "seed " + seed + ": " + bytes + " of " + above);
        });
  }
}
