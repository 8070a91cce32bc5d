// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import io.temptier.bench.jmh.TierBenchmark;
import io.temptier.lab.testbed.Folders;
import io.temptier.tier.DirHealth;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.TierLayout;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** What a placement pays to know which disk has the least to do, and which one hangs. */
// JMH fills in the fields after construction.
@SuppressWarnings("NullAway.Init")
public class DeviceNoticesBenchmark extends TierBenchmark {
  /** Local dirs whose disks are told of. */
  @Param("12")
  public int dirs;

  private Path root;
  private LocalDir dir;
  private DeviceNotices known;
  private DeviceNotices read;
  private long millis;

  /** Publishes the disks of all dirs in the first one. */
  @Setup
  public void publish() throws IOException {
    root = Files.createTempDirectory("temptier-jmh");
    List<LocalDir> all =
        IntStream.range(0, dirs)
            .mapToObj(i -> root.resolve("disk" + i))
            .map(path -> LocalDir.of(path, Medium.DISK, LocalDir.NO_CAP, "benchmark"))
            .toList();
    dir = all.get(dirs - 1);
    Map<String, PublishedDevices.Device> devices = new HashMap<>();
    for (LocalDir each : all) {
      devices.put(each.path().toString(), PublishedDevices.Device.of(DirHealth.SOUND, 1 << 20));
    }
    PublishedDevices.of(0, devices)
        .write(
            Files.createDirectories(all.get(0).path().resolve(NodeMarker.DIR))
                .resolve(NodeMarker.DEVICES));
    TierLayout layout = TierLayout.of(all, List.of(Medium.values()), medium -> Reserve.DEFAULT);
    known = new DeviceNotices(layout.paths(), () -> 0);
    // Each question comes a moment after the last answer is too old, and none finds stale news.
    read =
        new DeviceNotices(layout.paths(), () -> (millis += DeviceNotices.REFRESH_MILLIS) % 4_000);
    if (known.of(dir).busyBytes() == 0) {
      throw new IllegalStateException("what was published is not read");
    }
  }

  /** Removes the dirs. */
  @TearDown
  public void remove() throws IOException {
    Folders.delete(root);
  }

  /** What was read less than half a second ago. */
  @Benchmark
  public PublishedDevices.Device known() {
    return known.of(dir);
  }

  /** Read anew, on a thread to spare: twice a second at most. */
  @Benchmark
  public PublishedDevices.Device read() {
    return read.of(dir);
  }
}
