// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.fixtures.Needs.NeedsSlowDisk;
import io.temptier.fixtures.Programs;
import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.testing.FakeKernel;
import io.temptier.tier.DirHealth;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.os.MountTable;
import io.temptier.tier.room.PublishedDevices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The monitor on real disks: one stands still, or is throttled. */
@NeedsLoopDisk
class FrozenDeviceTest {
  private static final long MB = 1 << 20;
  private static final Path THROTTLE =
      Path.of("/sys/fs/cgroup/blkio/blkio.throttle.write_iops_device");

  @TempDir Path temp;
  private final Deque<AutoCloseable> toClose = new ArrayDeque<>();
  private final List<LoopDisk> disks = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    // What hangs with a disk could not be closed.
    for (LoopDisk disk : disks) {
      disk.thaw();
    }
    for (AutoCloseable each : toClose) {
      each.close();
    }
  }

  private LoopDisk disk(Path folder, String name, long bytes) throws IOException {
    LoopDisk disk = LoopDisk.create(folder, name, bytes);
    toClose.push(disk);
    disks.add(disk);
    return disk;
  }

  private static NodeTiers tiers(LoopDisk fast, LoopDisk slow) throws IOException {
    return Layouts.publish(
        fast.path().resolve("yarn"),
        slow.path().resolve("yarn"),
        Reserve.ofBytes(0),
        Layouts.SETTINGS);
  }

  private DeviceMonitor monitor(NodeTiers tiers, KernelClassifier kernel) {
    DeviceMonitor monitor =
        new DeviceMonitor(tiers.layout(), true, kernel, new PlacementTally(), System::nanoTime);
    toClose.push(monitor);
    return monitor;
  }

  /** Where a process that starts now writes; it must not hang. */
  private static Medium placed(NodeTiers tiers) throws Exception {
    return CompletableFuture.supplyAsync(() -> Layouts.place(tiers).dir().medium())
        .get(2, TimeUnit.MINUTES);
  }

  private void standsStillAndComesBack(LoopDisk frozen, NodeTiers tiers) throws Exception {
    LocalDir fast = tiers.layout().dirs().get(0);
    DeviceMonitor monitor = monitor(tiers, new KernelClassifier());
    monitor.start();
    Path watch = fast.path().resolve(NodeMarker.DIR).resolve(NodeMarker.WATCH);
    Eventually.holds("the watch has written", () -> Files.exists(watch));
    assertEquals(Medium.NVME, placed(tiers));
    frozen.freeze();
    Eventually.holds("hung", () -> monitor.health(fast) == DirHealth.HUNG);
    LocalDir slow = tiers.layout().dirs().get(1);
    assertEquals(DirHealth.SOUND, monitor.health(slow));
    Path news = slow.path().resolve(NodeMarker.DIR).resolve(NodeMarker.DEVICES);
    Eventually.holds(
        "the other dir has the news",
        () ->
            PublishedDevices.read(news)
                .filter(said -> said.of(fast.path()).health() == DirHealth.HUNG)
                .isPresent());
    for (int i = 0; i < 50; i++) {
      assertEquals(Medium.DISK, placed(tiers));
      Thread.sleep(20);
    }
    frozen.thaw();
    Eventually.holds("it answers", () -> monitor.health(fast) == DirHealth.SOUND);
    Eventually.holds("it is used", () -> placed(tiers) == Medium.NVME);
  }

  @Test
  void aFileSystemThatIsFrozenIsSetAsideByTheWatchAndTakenBack() throws Exception {
    LoopDisk fast = disk(temp, "fast", 64 * MB);
    LoopDisk slow = disk(temp, "slow", 64 * MB);
    standsStillAndComesBack(fast, tiers(fast, slow));
  }

  /** A loop over a file of a frozen file system: the kernel shows its requests under way. */
  @Test
  void aDeviceThatStandsStillIsSetAsideAndTakenBack() throws Exception {
    LoopDisk below = disk(temp, "below", 128 * MB);
    LoopDisk fast = disk(below.path(), "fast", 64 * MB);
    LoopDisk slow = disk(temp, "slow", 64 * MB);
    standsStillAndComesBack(below, tiers(fast, slow));
  }

  @Test
  @NeedsSlowDisk
  void aThrottledDiskIsFoundSlowByTheKernelsCounters() throws Exception {
    LoopDisk below = disk(temp, "below", 128 * MB);
    LoopDisk fast = disk(below.path(), "fast", 64 * MB);
    LoopDisk slow = disk(temp, "slow", 64 * MB);
    // Past the page cache of what is throttled, so that the upper disk waits as a real one does.
    String device = mount(fast).source();
    Programs.run("losetup", "--direct-io=on", device);
    // The kernel's tree says that all are one disk; this one, that they are not.
    FakeKernel tree = new FakeKernel(Files.createDirectories(temp.resolve("kernel")));
    tree.device("virtual/block", name(fast), number(fast)).set(name(fast), "queue/rotational", "0");
    tree.device("virtual/block", name(slow), number(slow)).set(name(slow), "queue/rotational", "1");
    NodeTiers tiers = tiers(fast, slow);
    DeviceMonitor monitor =
        monitor(tiers, new KernelClassifier(tree.root().resolve("sys"), Path.of("/proc")));
    LocalDir throttled = tiers.layout().dirs().get(0);
    thirtySeconds(monitor);
    String numbers = number(below);
    toClose.push(() -> Files.writeString(THROTTLE, numbers + " 0"));
    Files.writeString(THROTTLE, numbers + " 8");
    thirtySeconds(monitor);
    assertEquals(DirHealth.SLOW, monitor.health(throttled));
    assertEquals(DirHealth.SOUND, monitor.health(tiers.layout().dirs().get(1)));
    assertEquals(Medium.DISK, placed(tiers));
  }

  /** A window's ticks, with as many writes. */
  private static void thirtySeconds(DeviceMonitor monitor) {
    for (int i = 0; i <= SlowDisks.WINDOW_SECONDS; i++) {
      monitor.watches.forEach(DirWatch::round);
      monitor.tick();
    }
    monitor.watches.forEach(DirWatch::round);
  }

  private static MountTable.Mount mount(LoopDisk disk) throws IOException {
    return MountTable.read(Path.of("/proc/self/mountinfo"))
        .of(disk.path().toRealPath())
        .orElseThrow();
  }

  private static String name(LoopDisk disk) throws IOException {
    return String.valueOf(Path.of(mount(disk).source()).getFileName());
  }

  private static String number(LoopDisk disk) throws IOException {
    return mount(disk).device();
  }
}
