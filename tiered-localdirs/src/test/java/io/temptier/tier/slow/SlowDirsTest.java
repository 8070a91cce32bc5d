// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.slow;

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
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SlowDirsTest {
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
    return new DiskLoad(ios, (long) (ios * awaitMillis), bytes, busyMillis, 0);
  }

  private SlowDirs decision(LocalDir... dirs) {
    for (LocalDir dir : dirs) {
      disks.put(dir, Set.of(dir.path().getFileName().toString()));
    }
    return new SlowDirs(Layouts.tiers(Reserve.DEFAULT, Layouts.NO_HYSTERESIS, dirs).layout());
  }

  private SlowDirsTest does(LocalDir dir, DiskLoad load) {
    disks.getOrDefault(dir, Set.of()).forEach(disk -> loads.put(disk, load));
    return this;
  }

  /** Windows of the loads set, up to the first change. */
  private Optional<SlowDirs.Change> windows(SlowDirs decision, int count) {
    for (int i = 0; i < count; i++) {
      List<SlowDirs.Change> changes = decision.window(disks, loads);
      assertTrue(changes.size() < 2, changes::toString);
      if (!changes.isEmpty()) {
        assertEquals(count - 1, i, "changed in an earlier window: " + changes);
        return Optional.of(changes.get(0));
      }
    }
    return Optional.empty();
  }

  private void assertNeverSlow(SlowDirs decision) {
    assertEquals(Optional.empty(), windows(decision, 100));
  }

  @Test
  void isSlowAfterThreeWindowsAboveTheTierBelow() {
    SlowDirs decision = decision(NVME, HDD0, HDD1);
    does(NVME, SICK).does(HDD0, HDD).does(HDD1, load(100, 16, 1, 1_000));
    SlowDirs.Change change = windows(decision, 3).orElseThrow();
    assertEquals(
        new SlowDirs.Change(
            NVME, true, 3, Optional.of(new SlowDirs.Figures(200, Medium.DISK, 14, false))),
        change);
    assertTrue(decision.slow(NVME));
    assertFalse(decision.slow(HDD0));
  }

  @Test
  void aWindowBetweenThatIsSoundOrIdleStartsTheCountAnew() {
    SlowDirs decision = decision(NVME, HDD0);
    does(HDD0, HDD);
    for (DiskLoad between : List.of(SOUND, DiskLoad.NONE)) {
      does(NVME, SICK);
      assertEquals(Optional.empty(), windows(decision, 2));
      does(NVME, between);
      assertEquals(Optional.empty(), windows(decision, 1));
    }
    does(NVME, SICK);
    assertTrue(windows(decision, 3).isPresent());
  }

  @Test
  void fewIosSayNothing() {
    SlowDirs decision = decision(NVME, HDD0);
    does(NVME, load(SlowDirs.LEAST_IOS - 1, 5_000, 1, 10_000)).does(HDD0, HDD);
    assertNeverSlow(decision);
  }

  @Test
  void belowTheFloorNobodyWouldGainByGoingElsewhere() {
    SlowDirs decision = decision(NVME, SSD);
    does(NVME, load(10_000, SlowDirs.FLOOR_MILLIS, 1, 10_000)).does(SSD, load(10_000, 0.2, 9, 1));
    assertNeverSlow(decision);
    does(NVME, load(10_000, SlowDirs.FLOOR_MILLIS + 1, 1, 10_000));
    assertTrue(windows(decision, 3).isPresent());
  }

  @Test
  void aLongQueueOfADiskThatMovesMoreThanTheTierBelowEverDidIsNoSickness() {
    SlowDirs decision = decision(NVME, HDD0);
    // Writeback: a gigabyte a second while at work, a tenth of the time.
    does(NVME, load(1_000, 120, 1_000_000_000, 1_000)).does(HDD0, HDD);
    assertNeverSlow(decision);
    // The same queue behind a drive that throttles to 40 MB/s.
    does(NVME, load(1_000, 120, 40_000_000, 1_000));
    assertTrue(windows(decision, 3).isPresent());
  }

  @Test
  void anIdleTierBelowIsWhatItWasWhenLastAtWork() {
    SlowDirs decision = decision(NVME, HDD0);
    does(NVME, SICK);
    assertNeverSlow(decision);
    does(HDD0, HDD).does(NVME, SOUND);
    assertEquals(Optional.empty(), windows(decision, 1));
    does(HDD0, DiskLoad.NONE).does(NVME, SICK);
    SlowDirs.Change change = windows(decision, 3).orElseThrow();
    assertEquals(Optional.of(new SlowDirs.Figures(200, Medium.DISK, 12, true)), change.figures());
  }

  @Test
  void theTierBelowMayBeSlowerStill() {
    SlowDirs decision = decision(NVME, HDD0);
    does(NVME, SICK).does(HDD0, load(100, 400, 100_000_000, 10_000));
    assertNeverSlow(decision);
  }

  @Test
  void theFastestTierBelowThatIsAtWorkIsComparedWith() {
    SlowDirs decision = decision(NVME, SSD, HDD0);
    does(NVME, SICK).does(SSD, load(10_000, 300, 1, 10_000)).does(HDD0, HDD);
    // The SSD is the slowest: it is passed over for the disk, and then so is the NVMe.
    SlowDirs.Change ssd = windows(decision, 3).orElseThrow();
    assertEquals(SSD, ssd.dir());
    SlowDirs.Change nvme = windows(decision, 3).orElseThrow();
    assertEquals(NVME, nvme.dir());
    assertEquals(Medium.DISK, nvme.figures().map(SlowDirs.Figures::below).orElseThrow());
  }

  @Test
  void theSlowestTierIsNeverSlow() {
    SlowDirs decision = decision(NVME, HDD0);
    does(NVME, SOUND).does(HDD0, load(1_000, 3_000, 1, 10_000));
    assertNeverSlow(decision);
  }

  @Test
  void dirsWithoutDisksAreNeitherSlowNorComparedWith() {
    LocalDir ram = dir("/ram0", Medium.RAM_DISK);
    LocalDir remote = dir("/nfs0", Medium.REMOTE);
    SlowDirs decision = decision(ram, NVME, remote);
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
    SlowDirs decision = decision(NVME, HDD0);
    does(NVME, SICK).does(HDD0, HDD);
    disks.put(NVME, Set.of("nvme0", "hdd0"));
    assertNeverSlow(decision);
  }

  @Test
  void aDirIsAsSlowAsTheSlowestOfItsDisks() {
    SlowDirs decision = decision(NVME, HDD0);
    does(HDD0, HDD);
    disks.put(NVME, Set.of("a", "b", "c"));
    loads.put("a", SOUND);
    loads.put("b", SICK);
    loads.put("c", DiskLoad.NONE);
    assertTrue(windows(decision, 3).isPresent());
  }

  @Test
  void recoversAfterThreeWindowsAtWorkThatWereNotSlow() {
    SlowDirs decision = slowNvme();
    does(NVME, SOUND);
    SlowDirs.Change change = windows(decision, 3).orElseThrow();
    assertEquals(3, change.windows());
    assertFalse(change.slow());
    assertFalse(decision.slow(NVME));
  }

  @Test
  void isTriedAgainAfterSixIdleWindows() {
    SlowDirs decision = slowNvme();
    does(NVME, DiskLoad.NONE);
    SlowDirs.Change change = windows(decision, 6).orElseThrow();
    assertEquals(new SlowDirs.Change(NVME, false, 6, Optional.empty()), change);
  }

  @Test
  void staysSlowWhileOthersKeepItSo() {
    SlowDirs decision = slowNvme();
    assertEquals(Optional.empty(), windows(decision, 1_000));
    does(NVME, DiskLoad.NONE);
    assertEquals(Optional.empty(), windows(decision, 5));
    does(NVME, SICK);
    assertEquals(Optional.empty(), windows(decision, 1));
    does(NVME, DiskLoad.NONE);
    assertTrue(windows(decision, 6).isPresent());
  }

  @Test
  void isLeftAloneForLongerEachTimeItRelapsesUpToAnHour() {
    SlowDirs decision = slowNvme();
    for (int wait = 6, times = 0; times < 10; times++, wait = Math.min(2 * wait, 6 << 6)) {
      does(NVME, DiskLoad.NONE);
      assertFalse(windows(decision, wait).orElseThrow().slow());
      // However long nobody uses it: that is no sign that it is well.
      assertEquals(Optional.empty(), windows(decision, 500));
      does(NVME, SICK);
      assertTrue(windows(decision, 3).orElseThrow().slow());
    }
  }

  @Test
  void isForgivenAfterThirtyGoodWindows() {
    SlowDirs decision = slowNvme();
    does(NVME, SOUND);
    windows(decision, 3);
    does(NVME, SICK);
    windows(decision, 3);
    does(NVME, SOUND);
    assertFalse(windows(decision, 6).orElseThrow().slow());
    assertEquals(Optional.empty(), windows(decision, SlowDirs.FORGIVEN_WINDOWS));
    does(NVME, SICK);
    windows(decision, 3);
    does(NVME, DiskLoad.NONE);
    assertTrue(windows(decision, 6).isPresent());
  }

  private SlowDirs slowNvme() {
    SlowDirs decision = decision(NVME, HDD0);
    does(NVME, SICK).does(HDD0, HDD);
    assertTrue(windows(decision, 3).orElseThrow().slow());
    return decision;
  }
}
