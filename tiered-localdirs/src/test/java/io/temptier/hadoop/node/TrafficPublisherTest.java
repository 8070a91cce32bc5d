// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.testing.FakeKernel;
import io.temptier.testing.ManualClock;
import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.NodeTiers;
import io.temptier.tier.Placement;
import io.temptier.tier.PlacementListener;
import io.temptier.tier.PlacementRequest;
import io.temptier.tier.Reason;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.TierSettings;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.placer.Placer;
import io.temptier.tier.room.PublishedTraffic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From what disks did to where the files of tasks go. */
class TrafficPublisherTest {
  private static final long MB = 1 << 20;

  private final ManualClock clock = new ManualClock();
  private final PlacementTally tally = new PlacementTally();
  private final FakeKernel kernel;

  TrafficPublisherTest(@TempDir Path temp) {
    kernel = new FakeKernel(temp);
  }

  /** A fast dir that takes nothing, and three slow ones: two on disks, one on a loop. */
  private List<LocalDir> dirs() throws IOException {
    kernel.disk("sda", "8:0", 1).partition("sda", "sda1", "8:1").disk("sdb", "8:16", 1);
    kernel.device("virtual/block", "loop7", "7:7");
    List<LocalDir> dirs = new ArrayList<>();
    dirs.add(dir(kernel.mount("fast", "0:40", "tmpfs", "tmpfs", "rw"), Medium.NVME, 0));
    dirs.add(dir(kernel.mount("a", "8:1", "ext4", "/dev/sda1", "rw"), Medium.DISK, -1));
    dirs.add(dir(kernel.mount("b", "8:16", "ext4", "/dev/sdb", "rw"), Medium.DISK, -1));
    dirs.add(dir(kernel.mount("c", "7:7", "ext4", "/dev/loop7", "rw"), Medium.DISK, -1));
    return dirs;
  }

  private static LocalDir dir(Path mount, Medium medium, long cap) throws IOException {
    Path root = Files.createDirectories(mount.resolve("yarn"));
    Files.createDirectories(root.resolve(NodeMarker.DIR));
    return new LocalDir(root, medium, cap < 0 ? LocalDir.NO_CAP : cap, "tag");
  }

  private static TierLayout layout(List<LocalDir> dirs) {
    return TierLayout.of(dirs, List.of(Medium.values()), medium -> Reserve.ofBytes(1));
  }

  private static List<Path> folders(List<LocalDir> dirs) {
    return dirs.stream().map(dir -> dir.path().resolve(NodeMarker.DIR)).toList();
  }

  private TrafficPublisher publisher(List<LocalDir> dirs) {
    DirDisks disks = new DirDisks(kernel.classifier(), clock::nanos);
    dirs.forEach(disks::look);
    return new TrafficPublisher(
        layout(dirs), folders(dirs), disks, kernel.classifier(), tally, clock::nanos);
  }

  private static String counters(String disk, long readMb, long writtenMb) {
    return String.format(
        "8 0 %s 1 0 %d 1 1 0 %d 1 0 1 1%n", disk, readMb * MB / 512, writtenMb * MB / 512);
  }

  private void placed(LocalDir dir, long bytes) {
    tally.placed(
        new PlacementRequest("spill0.out", FileKind.SPILL, bytes, true, null, 1),
        new Placement(dir, Reason.FASTEST, List.of()));
  }

  private static LocalDir chosen(Placer placer) {
    return placer
        .place(
            placer.request("output/spill0.out", MB, null),
            dir -> dir.path().resolve("output/spill0.out"))
        .orElseThrow()
        .placement()
        .dir();
  }

  @Test
  void filesGoToTheDiskWithTheLeastToDo() throws IOException {
    List<LocalDir> dirs = dirs();
    TrafficPublisher publisher = publisher(dirs);
    kernel.diskstats(counters("sda", 0, 0) + counters("sdb", 0, 0) + counters("loop7", 0, 0));
    publisher.round();
    // HDFS is read from one, another has written files, and the third is only given one.
    kernel.diskstats(counters("sda", 200, 0) + counters("sdb", 0, 90) + counters("loop7", 0, 0));
    placed(dirs.get(2), 90 * MB);
    placed(dirs.get(3), 100 * MB);
    publisher.round();
    NodeTiers tiers = new NodeTiers(layout(dirs), TierSettings.DEFAULT);
    try (Placer placer = new Placer(tiers, new PlacementListener() {})) {
      assertEquals(dirs.get(2), chosen(placer));
    }
    kernel.diskstats(counters("sda", 200, 0) + counters("sdb", 30, 90) + counters("loop7", 0, 100));
    publisher.round();
    try (Placer placer = new Placer(tiers, new PlacementListener() {})) {
      assertEquals(dirs.get(3), chosen(placer));
    }
  }

  @Test
  void idleDisksAreNotWrittenAboutAndOldNewsIsNone() throws IOException {
    List<LocalDir> dirs = dirs();
    TrafficPublisher publisher = publisher(dirs);
    Path file = folders(dirs).get(0).resolve(NodeMarker.TRAFFIC);
    publisher.round();
    assertFalse(Files.exists(file), "no counters, nothing placed");
    placed(dirs.get(1), 8 * MB);
    publisher.round();
    assertEquals(
        Map.of(dirs.get(1).path().toString(), 8 * MB),
        PublishedTraffic.read(file).orElseThrow().bytes());
    clock.advance(Duration.ofHours(1));
    publisher.round();
    assertEquals(Map.of(), PublishedTraffic.read(file).orElseThrow().bytes());
    Files.delete(file);
    publisher.round();
    assertFalse(Files.exists(file));
  }

  @Test
  void theNextDirIsTakenWhereTheFastestTakesNoFile() throws IOException {
    List<LocalDir> dirs = dirs();
    TrafficPublisher publisher = publisher(dirs);
    Files.delete(folders(dirs).get(0));
    placed(dirs.get(1), 8 * MB);
    publisher.round();
    assertTrue(Files.exists(folders(dirs).get(1).resolve(NodeMarker.TRAFFIC)));
    for (LocalDir dir : dirs.subList(1, dirs.size())) {
      Files.deleteIfExists(dir.path().resolve(NodeMarker.DIR).resolve(NodeMarker.TRAFFIC));
      Files.delete(dir.path().resolve(NodeMarker.DIR));
    }
    publisher.round();
  }
}
