// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.testing.FakeKernel;
import io.temptier.testing.ManualClock;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.NodeTiers;
import io.temptier.tier.Placement;
import io.temptier.tier.PlacementListener;
import io.temptier.tier.Reason;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.TierSettings;
import io.temptier.tier.os.InodeCounts;
import io.temptier.tier.placer.Placer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From the kernel's counters to where a file goes. */
class SlowDirWatchTest {
  private final ManualClock clock = new ManualClock();
  private final FakeKernel kernel;
  private final Map<String, long[]> counters = new LinkedHashMap<>();
  private final List<String> logged = new ArrayList<>();

  SlowDirWatchTest(@TempDir Path temp) {
    kernel = new FakeKernel(temp);
  }

  /** An LVM volume over an NVMe disk, and a partition of a rotating one. */
  private List<LocalDir> disks() throws IOException {
    kernel.disk("nvme0n1", "259:0", 0).stacked("dm-0", "253:0", "nvme0n1");
    kernel.disk("sda", "8:0", 1).partition("sda", "sda1", "8:1");
    return List.of(
        dir(kernel.mount("fast", "253:0", "ext4", "/dev/mapper/vg-lv", "rw"), Medium.NVME),
        dir(kernel.mount("slow", "8:1", "ext4", "/dev/sda1", "rw"), Medium.DISK));
  }

  private static LocalDir dir(Path mount, Medium medium) throws IOException {
    Path root = Files.createDirectories(mount.resolve("yarn"));
    return new LocalDir(root, medium, LocalDir.NO_CAP, "tag");
  }

  private static NodeTiers tiers(List<LocalDir> dirs) {
    return new NodeTiers(
        TierLayout.of(dirs, List.of(Medium.values()), medium -> Reserve.ofBytes(1)),
        TierSettings.DEFAULT);
  }

  private SlowDirWatch watch(List<LocalDir> dirs, LongSupplier clockNanos) {
    DirDisks disks = new DirDisks(kernel.classifier(), clockNanos);
    dirs.forEach(disks::look);
    return new SlowDirWatch(tiers(dirs).layout(), disks, kernel.classifier());
  }

  /** Lets a disk read {@code ios} blocks of 4 KB in a window of which it is at work a second. */
  private void did(String disk, long ios, long awaitMillis) {
    long[] of = counters.computeIfAbsent(disk, name -> new long[4]);
    of[0] += ios;
    of[1] += ios * 8;
    of[2] += ios * awaitMillis;
    of[3] += 1_000;
  }

  private void window(SlowDirWatch watch) {
    StringBuilder text = new StringBuilder("   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0\n");
    counters.forEach(
        (disk, of) ->
            text.append(
                String.format(
                    " 8 0 %s %d 0 %d %d 0 0 0 0 0 %d 0\n", disk, of[0], of[1], of[2], of[3])));
    kernel.diskstats(text.toString());
    watch.window().forEach(change -> logged.add(SlowDirWatch.text(change)));
    clock.advance(Duration.ofSeconds(10));
  }

  @Test
  void aThrottledDiskIsPassedOverUntilItRecovers() throws IOException {
    List<LocalDir> dirs = disks();
    LocalDir fast = dirs.get(0);
    List<RootUpkeep> roots = new ArrayList<>();
    for (LocalDir dir : dirs) {
      // Real time where it is published: that is what the placer reads it by.
      RootUpkeep root =
          new RootUpkeep(
              dir, tiers(dirs), path -> InodeCounts.UNBOUNDED, System::currentTimeMillis);
      root.publish();
      root.measure();
      roots.add(root);
    }
    SlowDirWatch watch = watch(dirs, clock::nanos);
    did("nvme0n1", 7, 1);
    did("sda", 7, 1);
    window(watch);
    for (int i = 0; i < 3; i++) {
      assertFalse(watch.slow(fast), "after " + i + " windows");
      did("nvme0n1", 50, 180);
      did("sda", 100, 14);
      window(watch);
    }
    for (RootUpkeep root : roots) {
      root.slow(watch.slow(root.dir()));
    }
    assertTrue(watch.slow(fast));
    Placement placement = place(dirs);
    assertEquals(dirs.get(1), placement.dir());
    assertEquals(Reason.SLOW, placement.reason());
    assertEquals(1, logged.size(), logged::toString);
    for (String said :
        List.of("has been", "[NVME]" + fast.path(), "30 s", "3 windows", "180.0", "DISK", "14.0")) {
      assertTrue(logged.get(0).contains(said), said + " in " + logged.get(0));
    }

    for (int i = 0; i < 6; i++) {
      assertTrue(watch.slow(fast), "after " + i + " idle windows");
      did("sda", 100, 14);
      window(watch);
    }
    roots.get(0).slow(watch.slow(fast));
    assertEquals(fast, place(dirs).dir());
    assertEquals(2, logged.size(), logged::toString);
    assertTrue(logged.get(1).contains("60 s"), logged.get(1));
    assertTrue(logged.get(1).contains("next to no I/O"), logged.get(1));
    watch.close();
  }

  private static Placement place(List<LocalDir> dirs) {
    try (Placer placer = new Placer(tiers(dirs), new PlacementListener() {})) {
      return placer
          .place(placer.request("file", 1, null), dir -> dir.path().resolve("file"))
          .orElseThrow()
          .placement();
    }
  }

  @Test
  void withoutCountersNothingIsSlow() throws IOException {
    List<LocalDir> dirs = disks();
    SlowDirWatch watch = watch(dirs, clock::nanos);
    for (int i = 0; i < 10; i++) {
      assertEquals(List.of(), watch.window());
    }
    assertTrue(dirs.stream().noneMatch(watch::slow));
  }

  @Test
  void aWindowWithoutCountersIsNoneAndTheNextIsCountedFromThere() throws IOException {
    List<LocalDir> dirs = disks();
    SlowDirWatch watch = watch(dirs, clock::nanos);
    for (int i = 0; i < 3; i++) {
      did("nvme0n1", 50, 180);
      did("sda", 100, 14);
      window(watch);
      Files.delete(kernel.root().resolve("proc/diskstats"));
      watch.window();
    }
    assertFalse(watch.slow(dirs.get(0)));
  }

  @Test
  void loopsOverFilesOfOneDiskAreNotCompared() throws IOException {
    kernel.disk("sda", "8:0", 1);
    Path host = kernel.mount("host", "8:0", "ext4", "/dev/sda", "rw");
    for (String name : List.of("loop0", "loop1")) {
      Path image = Files.createFile(host.resolve(name + ".img"));
      kernel
          .device("virtual/block", name, "7:" + name.charAt(4))
          .set(name, "loop/backing_file", image.toString());
    }
    List<LocalDir> dirs =
        List.of(
            dir(kernel.mount("fast", "7:0", "ext4", "/dev/loop0", "rw"), Medium.NVME),
            dir(kernel.mount("slow", "7:1", "ext4", "/dev/loop1", "rw"), Medium.DISK));
    SlowDirWatch watch = watch(dirs, clock::nanos);
    for (int i = 0; i < 10; i++) {
      did("sda", 50, 180);
      did("loop0", 50, 180);
      did("loop1", 100, 14);
      window(watch);
    }
    assertTrue(dirs.stream().noneMatch(watch::slow));
  }

  @Test
  void tmpfsAndNetworkFileSystemsAreNeverSlow() throws IOException {
    kernel.disk("sda", "8:0", 1);
    List<LocalDir> dirs =
        List.of(
            dir(kernel.mount("ram", "0:40", "tmpfs", "tmpfs", "rw"), Medium.RAM_DISK),
            dir(kernel.mount("hdd", "8:0", "ext4", "/dev/sda", "rw"), Medium.DISK),
            dir(kernel.mount("nfs", "0:41", "nfs4", "server:/x", "rw"), Medium.REMOTE));
    SlowDirWatch watch = watch(dirs, clock::nanos);
    for (int i = 0; i < 10; i++) {
      did("sda", 50, 1_800);
      window(watch);
    }
    assertTrue(dirs.stream().noneMatch(watch::slow));
  }
}
