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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
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

  private static LocalDir dir(String path, Medium medium) {
    return Layouts.dir(Path.of(path), medium);
  }

  private static DiskLoad load(long ios, double awaitMillis, long bytes, long busyMillis) {
    return DiskLoad.of(ios, (long) (ios * awaitMillis), bytes, busyMillis, 0, 0);
  }

  private SlowDisks decision(LocalDir... dirs) {
    for (LocalDir dir : dirs) {
      disks.put(dir, Set.of(dir.path().getFileName().toString()));
    }
    return new SlowDisks(Layouts.tiers(Reserve.DEFAULT, Layouts.SETTINGS, dirs).layout());
  }

  private SlowDisksTest does(LocalDir dir, DiskLoad load) {
    disks.getOrDefault(dir, Set.of()).forEach(disk -> loads.put(disk, load));
    return this;
  }

  private void assertNeverSlow(SlowDisks decision) {
    for (int i = 0; i < 100; i++) {
      assertEquals(List.of(), decision.window(disks, loads));
    }
  }

  private void assertTurnsSlow(SlowDisks decision, LocalDir dir) {
    List<SlowDisks.Change> changes = decision.window(disks, loads);
    assertEquals(1, changes.size(), changes::toString);
    assertEquals(dir, changes.get(0).dir());
    assertTrue(changes.get(0).slow());
  }

  @Test
  void isSlowAfterAWindowAboveTheTierBelow() {
    SlowDisks decision = decision(NVME, HDD0, HDD1);
    does(NVME, SICK).does(HDD0, HDD).does(HDD1, load(100, 16, 1, 1_000));
    List<SlowDisks.Change> changes = decision.window(disks, loads);
    String figures = "200.0 ms per I/O, 0.6 MB/s; DISK 14.0 ms per I/O, 100.0 MB/s at best";
    assertEquals(List.of(SlowDisks.Change.of(NVME, true, figures)), changes);
    assertNeverSlow(decision);
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
    assertEquals(List.of(), decision.window(disks, loads));
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
      for (int i = 1; i < SlowDisks.GOOD_WINDOWS; i++) {
        assertEquals(List.of(), decision.window(disks, loads), "window " + i);
      }
      // One bad window begins the count anew.
      does(NVME, SICK);
      assertEquals(List.of(), decision.window(disks, loads));
    }
    does(NVME, SOUND);
    for (int i = 1; i < SlowDisks.GOOD_WINDOWS; i++) {
      assertEquals(List.of(), decision.window(disks, loads), "window " + i);
    }
    List<SlowDisks.Change> changes = decision.window(disks, loads);
    assertEquals(NVME, changes.get(0).dir());
    assertFalse(changes.get(0).slow());
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
      for (SlowDisks.Change change : decision.window(disks, loads)) {
        slow = change.slow();
      }
    }
    assertEquals(windows / (SlowDisks.GOOD_WINDOWS + 1), used);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void eachChangeIsToldOnceAndOnlyOfTiersThatHaveOneBelow(long seed) {
    Random random = new Random(seed);
    SlowDisks decision = decision(NVME, SSD, HDD0, HDD1);
    Set<LocalDir> slow = new HashSet<>();
    for (int i = 0; i < 2_000; i++) {
      for (LocalDir dir : List.of(NVME, SSD, HDD0, HDD1)) {
        does(dir, load(random.nextInt(50), random.nextInt(100), random.nextInt(1 << 20), 1_000));
      }
      for (SlowDisks.Change change : decision.window(disks, loads)) {
        LocalDir dir = change.dir();
        assertTrue(dir.equals(NVME) || dir.equals(SSD), "seed " + seed + ": " + change);
        boolean news = change.slow() ? slow.add(dir) : slow.remove(dir);
        assertTrue(news, "seed " + seed + ": told twice, " + change);
      }
    }
    loads.clear();
    for (int i = 0; i < SlowDisks.GOOD_WINDOWS; i++) {
      decision.window(disks, loads).forEach(change -> slow.remove(change.dir()));
    }
    assertEquals(Set.of(), slow, "seed " + seed);
  }
}
