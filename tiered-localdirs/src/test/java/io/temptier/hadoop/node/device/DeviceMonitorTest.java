// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.testing.FakeKernel;
import io.temptier.testing.ManualClock;
import io.temptier.tier.DirHealth;
import io.temptier.tier.FileKind;
import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.kernel.DiskLoad;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.marker.NodeTiers;
import io.temptier.tier.marker.TierSettings;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import io.temptier.tier.room.PublishedDevices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From what disks do to where the files of tasks go; the test is the threads and the time. */
class DeviceMonitorTest {
  private static final long MB = 1 << 20;
  private static final LocalDir A = Layouts.dir(Path.of("/a"), Medium.DISK);
  private static final LocalDir B = Layouts.dir(Path.of("/b"), Medium.DISK);
  private static final LocalDir C = Layouts.dir(Path.of("/c"), Medium.DISK);
  private static final Map<LocalDir, Set<String>> APART =
      Map.of(A, Set.of("sda"), B, Set.of("sdb"));

  private final ManualClock clock = new ManualClock();
  private final PlacementTally tally = new PlacementTally();
  private final FakeKernel kernel;
  private final Map<String, long[]> counters = new LinkedHashMap<>();
  private final Set<LocalDir> hanging = new HashSet<>();
  private final RecentTraffic traffic = new RecentTraffic();

  DeviceMonitorTest(@TempDir Path temp) {
    kernel = new FakeKernel(temp);
  }

  /** An LVM volume over an NVMe disk, and a partition of a rotating one. */
  private List<LocalDir> disks() throws IOException {
    kernel.disk("nvme0n1", "259:0", 0).stacked("dm-0", "253:0", "nvme0n1");
    kernel.disk("sda", "8:0", 1).partition("sda", "sda1", "8:1");
    return setUp(
        dir("253:0", "/dev/mapper/vg-lv", Medium.NVME), dir("8:1", "/dev/sda1", Medium.DISK));
  }

  private LocalDir dir(String number, String source, Medium medium) throws IOException {
    Path mount = kernel.mount(number.replace(':', '-'), number, "ext4", source, "rw");
    return Layouts.dir(Layouts.root(mount.resolve("yarn")), medium);
  }

  private static List<LocalDir> setUp(LocalDir... dirs) throws IOException {
    for (LocalDir dir : dirs) {
      NodeMarker.write(dir.path(), tiers(List.of(dirs)));
    }
    return List.of(dirs);
  }

  private static NodeTiers tiers(List<LocalDir> dirs) {
    return Layouts.tiers(Reserve.ofBytes(1), TierSettings.DEFAULT, dirs.toArray(LocalDir[]::new));
  }

  private DeviceMonitor monitor(List<LocalDir> dirs, boolean shiftWhenSlow) {
    return new DeviceMonitor(
        tiers(dirs).layout(), shiftWhenSlow, kernel.classifier(), tally, clock::nanos);
  }

  /** Lets a disk do {@code ios} of 4 KB, for which it is at work a tenth of a second. */
  private void did(String disk, long ios, long awaitMillis) {
    long[] counts = counters.computeIfAbsent(disk, name -> new long[5]);
    counts[0] += ios;
    counts[1] += ios * 8;
    counts[2] += ios * awaitMillis;
    counts[4] += 100;
  }

  private void underWay(String disk, long requests) {
    counters.computeIfAbsent(disk, name -> new long[5])[3] = requests;
  }

  /** A second, in which all dirs answer but those that hang. */
  private void second(DeviceMonitor monitor) {
    if (!counters.isEmpty()) {
      StringBuilder text = new StringBuilder();
      counters.forEach(
          (disk, counts) ->
              text.append(
                  "8 0 %s %d 0 %d %d 0 0 0 0 %d %d 0\n"
                      .formatted(disk, counts[0], counts[1], counts[2], counts[3], counts[4])));
      kernel.diskstats(text.toString());
    }
    answer(monitor);
    monitor.tick();
    answer(monitor);
    clock.advance(DeviceMonitor.TICK);
  }

  private void answer(DeviceMonitor monitor) {
    monitor.watches.stream()
        .filter(watch -> !hanging.contains(watch.dir()))
        .forEach(DirWatch::round);
  }

  private void seconds(DeviceMonitor monitor, int seconds) {
    seconds(monitor, seconds, second -> {});
  }

  /** Seconds, in each of which disks do something. */
  private void seconds(DeviceMonitor monitor, int seconds, IntConsumer disks) {
    for (int i = 0; i < seconds; i++) {
      disks.accept(i);
      second(monitor);
    }
  }

  /** The same, after each of which a dir is so. */
  private void stays(
      DirHealth health, LocalDir dir, DeviceMonitor monitor, int seconds, IntConsumer disks) {
    for (int i = 0; i < seconds; i++) {
      disks.accept(i);
      second(monitor);
      assertEquals(health, monitor.health(dir), "after " + (i + 1) + " seconds");
    }
  }

  /** A second of a sound rotating disk, and of a fast one that throttles. */
  private void throttled() {
    did("nvme0n1", 5, 180);
    did("sda", 10, 14);
  }

  private static Placement place(List<LocalDir> dirs) {
    return Layouts.place(tiers(dirs));
  }

  private static Path news(LocalDir dir) {
    return dir.path().resolve(NodeMarker.DIR).resolve(NodeMarker.DEVICES);
  }

  @Test
  void aThrottledDiskIsPassedOverUntilItRecovers() throws IOException {
    List<LocalDir> dirs = disks();
    LocalDir fast = dirs.get(0);
    DeviceMonitor monitor = monitor(dirs, true);
    for (int i = 0; i <= SlowDisks.WINDOW_SECONDS; i++) {
      assertEquals(fast, place(dirs).dir(), "after " + i + " seconds");
      seconds(monitor, 1, second -> throttled());
    }
    assertEquals(DirHealth.SLOW, monitor.health(fast));
    Placement placement = place(dirs);
    assertEquals(dirs.get(1), placement.dir());
    assertEquals(Reason.SLOW, placement.reason());
    int good = SlowDisks.GOOD_WINDOWS * SlowDisks.WINDOW_SECONDS;
    stays(DirHealth.SLOW, fast, monitor, good - 1, second -> did("sda", 10, 14));
    did("sda", 10, 14);
    second(monitor);
    assertEquals(fast, place(dirs).dir());
  }

  /** As sysfs shows NVMe's own multipath: the disk in its subsystem, the paths without a device. */
  @Test
  void anNvmeDiskIsJudgedByItsPaths() throws IOException {
    kernel.device("virtual/nvme-subsystem/nvme-subsys0", "nvme0n1", "259:1");
    kernel.disk("sda", "8:0", 1).partition("sda", "sda1", "8:1");
    did("nvme0n1", 0, 0);
    List<LocalDir> dirs =
        setUp(dir("259:1", "/dev/nvme0n1", Medium.NVME), dir("8:1", "/dev/sda1", Medium.DISK));
    DeviceMonitor monitor = monitor(dirs, true);
    seconds(
        monitor,
        SlowDisks.WINDOW_SECONDS + 1,
        second -> {
          did("nvme0c0n1", 3, 180);
          did("nvme0c1n1", 2, 180);
          did("sda", 10, 14);
        });
    assertEquals(DirHealth.SLOW, monitor.health(dirs.get(0)));
    underWay("nvme0c1n1", 3);
    seconds(monitor, DeviceMonitor.DEADLINE_TICKS);
    assertEquals(DirHealth.HUNG, monitor.health(dirs.get(0)));
  }

  @Test
  void whereItIsSwitchedOffOnlyDirsThatHangAreLeftAlone() throws IOException {
    List<LocalDir> dirs = disks();
    DeviceMonitor monitor = monitor(dirs, false);
    seconds(monitor, SlowDisks.WINDOW_SECONDS + 1, second -> throttled());
    assertEquals(DirHealth.SOUND, monitor.health(dirs.get(0)));
    hanging.add(dirs.get(0));
    seconds(monitor, DeviceMonitor.DEADLINE_TICKS + 1);
    assertEquals(DirHealth.HUNG, monitor.health(dirs.get(0)));
  }

  @Test
  void aDirThatDoesNotAnswerIsLeftAloneUntilItDoes() throws IOException {
    List<LocalDir> dirs = disks();
    LocalDir fast = dirs.get(0);
    DeviceMonitor monitor = monitor(dirs, true);
    seconds(monitor, 3 * SlowDisks.WINDOW_SECONDS);
    for (LocalDir dir : dirs) {
      assertEquals(DirHealth.SOUND, monitor.health(dir), "without counters nothing is slow");
    }
    assertTrue(Files.exists(news(fast)), "the fastest has the news");
    assertFalse(Files.exists(news(dirs.get(1))));
    hanging.add(fast);
    // It answered within the first.
    stays(DirHealth.SOUND, fast, monitor, DeviceMonitor.DEADLINE_TICKS, second -> {});
    assertTrue(Files.exists(news(dirs.get(1))), "another has the news in time");
    second(monitor);
    assertEquals(DirHealth.HUNG, monitor.health(fast));
    // Its own news are not believed for long, and are gone here, as they are on a disk that hangs.
    Files.delete(news(fast));
    Placement placement = place(dirs);
    assertEquals(dirs.get(1), placement.dir());
    assertEquals(Reason.SET_ASIDE, placement.reason());
    hanging.clear();
    second(monitor);
    assertEquals(DirHealth.SOUND, monitor.health(fast));
    assertEquals(fast, place(dirs).dir());
  }

  /** Below the volume: its own counters need not show what stands below. */
  @Test
  void aDiskThatEndsNoneOfItsRequestsHangsThoughTheDirSeemsToAnswer() throws IOException {
    List<LocalDir> dirs = disks();
    LocalDir fast = dirs.get(0);
    DeviceMonitor monitor = monitor(dirs, true);
    did("nvme0n1", 1, 1);
    second(monitor);
    underWay("nvme0n1", 3);
    stays(DirHealth.SOUND, fast, monitor, DeviceMonitor.DEADLINE_TICKS - 1, second -> {});
    second(monitor);
    assertEquals(DirHealth.HUNG, monitor.health(fast));
    assertEquals(DirHealth.SOUND, monitor.health(dirs.get(1)));
    did("nvme0n1", 1, 1);
    second(monitor);
    assertEquals(DirHealth.SOUND, monitor.health(fast));
  }

  @Test
  void requestsThatEndOneAfterTheOtherAreNoHang() throws IOException {
    List<LocalDir> dirs = disks();
    underWay("sda", 64);
    stays(
        DirHealth.SOUND,
        dirs.get(1),
        monitor(dirs, true),
        3 * DeviceMonitor.DEADLINE_TICKS,
        second -> did("sda", second % (DeviceMonitor.DEADLINE_TICKS - 1) == 0 ? 1 : 0, 9_000));
  }

  @Test
  void aFolderThatIsNotOursIsNotWrittenTo() throws IOException {
    List<LocalDir> dirs = disks();
    Files.delete(dirs.get(0).path().resolve(NodeMarker.DIR).resolve(NodeMarker.LAYOUT));
    DeviceMonitor monitor = monitor(dirs, true);
    second(monitor);
    Path watch = Path.of(NodeMarker.DIR, NodeMarker.WATCH);
    assertFalse(Files.exists(dirs.get(0).path().resolve(watch)));
    assertTrue(Files.exists(dirs.get(1).path().resolve(watch)));
    assertTrue(Files.exists(news(dirs.get(1))));
  }

  @Test
  void aLinkInTheWatchsPlaceIsNotFollowed(@TempDir Path elsewhere) throws IOException {
    List<LocalDir> dirs = disks();
    Path target = elsewhere.resolve("target");
    Path watch = dirs.get(0).path().resolve(NodeMarker.DIR).resolve(NodeMarker.WATCH);
    Files.createSymbolicLink(watch, target);
    DeviceMonitor monitor = monitor(dirs, true);
    second(monitor);
    assertFalse(Files.exists(target));
  }

  /** A fast dir on nothing that is counted, and three slow ones: two on disks, one on a loop. */
  private List<LocalDir> slowOnes() throws IOException {
    kernel.disk("sda", "8:0", 1).partition("sda", "sda1", "8:1").disk("sdb", "8:16", 1);
    kernel.device("virtual/block", "loop7", "7:7");
    Path fast = Layouts.root(kernel.mount("fast", "0:40", "tmpfs", "tmpfs", "rw").resolve("yarn"));
    return setUp(
        Layouts.dir(fast, Medium.NVME, 0),
        dir("8:1", "/dev/sda1", Medium.DISK),
        dir("8:16", "/dev/sdb", Medium.DISK),
        dir("7:7", "/dev/loop7", Medium.DISK));
  }

  private void placed(LocalDir dir, long bytes) {
    tally.placed(
        PlacementRequest.of("spill0.out", FileKind.SPILL, bytes, true, null, 1),
        Placement.of(dir, Reason.FASTEST, List.of()));
  }

  private static String moved(String disk, long readMb, long writtenMb, String more) {
    return "8 0 %s 1 0 %d 1 1 0 %d 1 0 1 1%n".formatted(disk, readMb << 11, writtenMb << 11) + more;
  }

  @Test
  void filesGoToTheDiskWithTheLeastToDo() throws IOException {
    List<LocalDir> dirs = slowOnes();
    DeviceMonitor monitor = monitor(dirs, true);
    kernel.diskstats(moved("sda", 0, 0, moved("sdb", 0, 0, moved("loop7", 0, 0, ""))));
    second(monitor);
    // HDFS is read from one, another has written files, and the third is only given one.
    kernel.diskstats(moved("sda", 200, 0, moved("sdb", 0, 90, moved("loop7", 0, 0, ""))));
    placed(dirs.get(2), 90 * MB);
    placed(dirs.get(3), 100 * MB);
    second(monitor);
    assertEquals(dirs.get(2), place(dirs).dir());
    kernel.diskstats(moved("sda", 200, 0, moved("sdb", 30, 90, moved("loop7", 0, 100, ""))));
    second(monitor);
    assertEquals(dirs.get(3), place(dirs).dir());
  }

  @Test
  void ofIdleDisksLittleIsWrittenAndOldNewsAreNone() throws IOException {
    List<LocalDir> dirs = slowOnes();
    DeviceMonitor monitor = monitor(dirs, true);
    second(monitor);
    Path file = news(dirs.get(0));
    Files.delete(file);
    for (int i = 0; i < 2; i++) {
      second(monitor);
      assertFalse(Files.exists(file), "no counters, nothing placed");
    }
    second(monitor);
    assertTrue(Files.exists(file), "so that readers need not look further");
    placed(dirs.get(1), 8 * MB);
    second(monitor);
    assertEquals(
        PublishedDevices.Device.of(DirHealth.SOUND, 8 * MB),
        PublishedDevices.read(file).orElseThrow().of(dirs.get(1).path()));
    clock.advance(Duration.ofHours(1));
    second(monitor);
    assertEquals(Map.of(), PublishedDevices.read(file).orElseThrow().dirs());
  }

  private static DiskLoad load(long readMb, long writtenMb) {
    return DiskLoad.of(1, 1, (readMb + writtenMb) * MB, 1, writtenMb * MB, 0);
  }

  @Test
  void whatWaitsInThePageCacheCountsLikeWhatWasWritten() {
    Map<String, DiskLoad> done = Map.of("sda", load(0, 60), "sdb", load(0, 10));
    assertEquals(
        Map.of(A, 60 * MB, B, 60 * MB),
        traffic.after(0, APART, done, Map.of(A, 60 * MB, B, 60 * MB)));
    // Now it is written; nothing counts twice.
    done = Map.of("sdb", load(0, 50));
    assertEquals(Map.of(A, 60 * MB, B, 60 * MB), traffic.after(0, APART, done, Map.of()));
  }

  @Test
  void fadesByHalfInAHalfLife() {
    traffic.after(1, APART, Map.of("sda", load(64, 64)), Map.of(B, 3 * MB));
    Map<LocalDir, Long> none = Map.of();
    assertEquals(
        Map.of(A, 64 * MB, B, 2 * MB),
        traffic.after(RecentTraffic.HALF_LIFE_SECONDS, APART, Map.of(), none));
    assertEquals(
        Map.of(A, 16 * MB),
        traffic.after(2 * RecentTraffic.HALF_LIFE_SECONDS, APART, Map.of(), none));
    assertEquals(Map.of(), traffic.after(1e9, APART, Map.of(), none));
  }

  @Test
  void dirsOnOneDiskHaveItsTrafficInCommon() {
    Map<LocalDir, Set<String>> devices = Map.of(A, Set.of("sda"), B, Set.of("sda"), C, Set.of());
    Map<String, DiskLoad> done = Map.of("sda", load(10, 0));
    Map<LocalDir, Long> given = Map.of(A, 4 * MB, B, 5 * MB, C, 6 * MB);
    assertEquals(Map.of(A, 19 * MB, B, 19 * MB, C, 6 * MB), traffic.after(1, devices, done, given));
  }

  @Test
  void aDirOnSeveralDisksHasTheTrafficOfAll() {
    Map<LocalDir, Set<String>> devices = Map.of(A, Set.of("sda", "sdb"));
    Map<String, DiskLoad> done = Map.of("sda", load(10, 0), "sdb", load(0, 7));
    assertEquals(Map.of(A, 17 * MB), traffic.after(1, devices, done, Map.of()));
  }
}
