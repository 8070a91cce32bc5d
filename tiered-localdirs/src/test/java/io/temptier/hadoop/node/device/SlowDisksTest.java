// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.kernel.DiskLoad;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlowDisksTest {
  private static final LocalDir NVME = dir("/nvme0", Medium.NVME);
  private static final LocalDir SSD = dir("/ssd0", Medium.SSD);
  private static final LocalDir HDD0 = dir("/hdd0", Medium.DISK);
  private static final LocalDir HDD1 = dir("/hdd1", Medium.DISK);

  /** What a rotating disk does: 100 I/Os of 1 MB, 12 ms each. */
  private static final DiskLoad HDD = load(100, 12, 100_000_000, 1_000);

  /** What a sick NVMe does: 100 I/Os of 64 KB, 200 ms each. */
  private static final DiskLoad SICK = load(100, 200, 6_400_000, 10_000);

  private static final DiskLoad SOUND = load(10_000, 0.2, 640_000_000, 1_000);

  private final Map<LocalDir, Set<String>> disks = new HashMap<>();
  private final Map<String, DiskLoad> loads = new HashMap<>();
  private List<LocalDir> dirs = List.of();

  private static LocalDir dir(String path, Medium medium) {
    return Layouts.dir(Path.of(path), medium);
  }

  private static DiskLoad load(long ios, double awaitMillis, long bytes, long busyMillis) {
    return DiskLoad.of(ios, (long) (ios * awaitMillis), bytes, busyMillis, 0, 0);
  }

  private SlowDisks decision(LocalDir... all) {
    dirs = List.of(all);
    for (LocalDir dir : all) {
      disks.put(dir, Set.of(dir.path().getFileName().toString()));
    }
    return new SlowDisks(Layouts.tiers(Reserve.DEFAULT, Layouts.SETTINGS, all).layout());
  }

  private SlowDisksTest does(LocalDir dir, DiskLoad load) {
    disks.getOrDefault(dir, Set.of()).forEach(disk -> loads.put(disk, load));
    return this;
  }

  private Set<LocalDir> slow(SlowDisks decision) {
    return dirs.stream().filter(decision::slow).collect(Collectors.toSet());
  }

  /** A window that changes nothing. */
  private void assertStays(SlowDisks decision) {
    Set<LocalDir> before = slow(decision);
    decision.window(disks, loads);
    assertEquals(before, slow(decision));
  }

  private void assertStays(SlowDisks decision, int windows) {
    for (int i = 0; i < windows; i++) {
      assertStays(decision);
    }
  }

  private void assertNeverSlow(SlowDisks decision) {
    assertStays(decision, 100);
  }

  private void assertTurnsSlow(SlowDisks decision, LocalDir dir) {
    Set<LocalDir> expected = slow(decision);
    assertTrue(expected.add(dir));
    decision.window(disks, loads);
    assertEquals(expected, slow(decision));
  }

  @Test
  void belowTheFloorNobodyWouldGainByGoingElsewhere() {
    SlowDisks decision = decision(NVME, SSD);
    does(NVME, load(10_000, SlowDisks.FLOOR_MILLIS, 1, 10_000)).does(SSD, load(10_000, 0.2, 9, 1));
    assertNeverSlow(decision);
    does(NVME, load(10_000, SlowDisks.FLOOR_MILLIS + 1, 1, 10_000));
    assertTurnsSlow(decision, NVME);
  }

  @Test
  void aLongQueueOfADiskThatMovesMoreThanTheTierBelowEverDidIsNoSickness() {
    SlowDisks decision = decision(NVME, HDD0);
    // Writeback: a gigabyte a second while at work, a tenth of the time.
    does(NVME, load(1_000, 120, 1_000_000_000, 1_000)).does(HDD0, HDD);
    assertNeverSlow(decision);
    // The same queue behind a drive that throttles to 40 MB/s.
    does(NVME, load(1_000, 120, 40_000_000, 1_000));
    assertTurnsSlow(decision, NVME);
  }

  @Test
  void anIdleTierBelowIsWhatItWasWhenLastAtWork() {
    SlowDisks decision = decision(NVME, HDD0);
    does(NVME, SICK);
    assertNeverSlow(decision);
    does(HDD0, HDD).does(NVME, SOUND);
    assertStays(decision);
    does(HDD0, DiskLoad.NONE).does(NVME, SICK);
    assertTurnsSlow(decision, NVME);
  }

  @Test
  void theTierBelowMayBeSlowerStill() {
    SlowDisks decision = decision(NVME, HDD0);
    does(NVME, SICK).does(HDD0, load(100, 400, 100_000_000, 10_000));
    assertNeverSlow(decision);
  }

  @Test
  void aSlowTierBelowIsPassedOverForTheOneBelowIt() {
    SlowDisks decision = decision(NVME, SSD, HDD0);
    does(NVME, SICK).does(SSD, load(10_000, 300, 1, 10_000)).does(HDD0, HDD);
    assertTurnsSlow(decision, SSD);
    assertTurnsSlow(decision, NVME);
  }

  @Test
  void dirsWithoutDisksAreNeitherSlowNorComparedWith() {
    LocalDir ram = dir("/ram0", Medium.RAM_DISK);
    LocalDir remote = dir("/nfs0", Medium.REMOTE);
    SlowDisks decision = decision(ram, NVME, remote);
    disks.put(ram, Set.of());
    disks.put(remote, Set.of());
    does(NVME, SICK);
    assertNeverSlow(decision);
    disks.clear();
    assertNeverSlow(decision);
    loads.clear();
    assertNeverSlow(decision);
  }

  @Test
  void dirsOnADiskInCommonAreNotCompared() {
    SlowDisks decision = decision(NVME, HDD0);
    does(NVME, SICK).does(HDD0, HDD);
    disks.put(NVME, Set.of("nvme0", "hdd0"));
    assertNeverSlow(decision);
  }

  @Test
  void aDirIsAsSlowAsTheSlowestOfItsDisks() {
    SlowDisks decision = decision(NVME, HDD0);
    does(HDD0, HDD);
    disks.put(NVME, Set.of("a", "b", "c"));
    loads.put("a", SOUND);
    loads.put("b", SICK);
    loads.put("c", DiskLoad.NONE);
    assertTurnsSlow(decision, NVME);
  }

  @Test
  void isTriedAgainAfterTenMinutesThatWereNotSlow() {
    SlowDisks decision = decision(NVME, HDD0);
    does(NVME, SICK).does(HDD0, HDD);
    assertTurnsSlow(decision, NVME);
    assertNeverSlow(decision);
    for (DiskLoad better : List.of(SOUND, DiskLoad.NONE)) {
      does(NVME, better);
      assertStays(decision, SlowDisks.GOOD_WINDOWS - 1);
      // One bad window begins the count anew.
      does(NVME, SICK);
      assertStays(decision);
    }
    does(NVME, SOUND);
    assertStays(decision, SlowDisks.GOOD_WINDOWS - 1);
    decision.window(disks, loads);
    assertFalse(decision.slow(NVME));
  }

  /** A disk that is sick whenever it is used, and fine when it is not. */
  @Test
  void whatIsSickOnlyUnderLoadIsUsedForATwentiethOfTheTime() {
    SlowDisks decision = decision(NVME, HDD0);
    does(HDD0, HDD);
    boolean slow = false;
    int used = 0;
    int windows = 2_100;
    for (int i = 0; i < windows; i++) {
      used += slow ? 0 : 1;
      does(NVME, slow ? DiskLoad.NONE : SICK);
      decision.window(disks, loads);
      slow = decision.slow(NVME);
    }
    assertEquals(windows / (SlowDisks.GOOD_WINDOWS + 1), used);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void onlyTiersThatHaveOneBelowAreSlow(long seed) {
    Random random = new Random(seed);
    SlowDisks decision = decision(NVME, SSD, HDD0, HDD1);
    for (int i = 0; i < 2_000; i++) {
      for (LocalDir dir : List.of(NVME, SSD, HDD0, HDD1)) {
        does(dir, load(random.nextInt(50), random.nextInt(100), random.nextInt(1 << 20), 1_000));
      }
      decision.window(disks, loads);
      assertFalse(decision.slow(HDD0) || decision.slow(HDD1), "seed " + seed);
    }
    loads.clear();
    for (int i = 0; i < SlowDisks.GOOD_WINDOWS; i++) {
      decision.window(disks, loads);
    }
    assertEquals(Set.of(), slow(decision), "seed " + seed);
  }
}
