// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.hadoop.metrics.PlacementTally;
import io.temptier.tier.LocalDir;
import io.temptier.tier.TierLayout;
import io.temptier.tier.kernel.DiskStats;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.room.PublishedTraffic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes once a second how busy the disk of each dir is, for all who place files on this node.
 * It lies in the fastest dir that takes it, so that no slow disk has more to do; while all disks
 * are idle nothing is written. Where it cannot be written, claims alone tell what is busy.
 *
 * <p>Its own thread reads a file of procfs, and may hang with the dir that it writes to.
 */
final class TrafficPublisher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TrafficPublisher.class);
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final List<LocalDir> dirs;
  private final List<Path> folders;
  private final DirDisks disks;
  private final KernelClassifier kernel;
  private final PlacementTally tally;
  private final LongSupplier clockNanos;
  private final RecentTraffic traffic = new RecentTraffic();
  private final Map<LocalDir, Long> givenBefore = new HashMap<>();
  private final PeriodicDaemon daemon;
  private DiskStats before = new DiskStats(Map.of());
  private long beforeNanos;
  private boolean idle = true;
  private boolean failing;

  /**
   * A publisher for all dirs of a node.
   *
   * @param folders of TempTier's own, the fastest first
   * @param tally knows what was placed
   * @param clockNanos nanoseconds since some time
   */
  TrafficPublisher(
      TierLayout layout,
      List<Path> folders,
      DirDisks disks,
      KernelClassifier kernel,
      PlacementTally tally,
      LongSupplier clockNanos) {
    this.dirs = layout.dirs();
    this.folders = List.copyOf(folders);
    this.disks = disks;
    this.kernel = kernel;
    this.tally = tally;
    this.clockNanos = clockNanos;
    this.beforeNanos = clockNanos.getAsLong();
    this.daemon = new PeriodicDaemon("TempTier disk traffic", PERIOD, this::round);
  }

  /** Begins. */
  void start() {
    daemon.start();
  }

  /** Ends a span of time and publishes; for one thread. */
  void round() {
    long now = clockNanos.getAsLong();
    // Without counters there is still what was placed.
    DiskStats stats = kernel.diskStats().orElse(new DiskStats(Map.of()));
    Map<LocalDir, Long> given = new HashMap<>();
    for (LocalDir dir : dirs) {
      long bytes = tally.expectedBytes(dir);
      Long earlier = givenBefore.put(dir, bytes);
      given.put(dir, bytes - (earlier == null ? 0 : earlier));
    }
    Map<LocalDir, Long> busy =
        traffic.after((now - beforeNanos) / 1e9, disks.devices(), stats.since(before), given);
    before = stats;
    beforeNanos = now;
    if (!busy.isEmpty() || !idle) {
      idle = busy.isEmpty();
      Map<String, Long> byPath = new HashMap<>();
      busy.forEach((dir, bytes) -> byPath.put(dir.path().toString(), bytes));
      publish(new PublishedTraffic(System.currentTimeMillis(), byPath));
    }
  }

  private void publish(PublishedTraffic published) {
    for (Path folder : folders) {
      try {
        published.write(folder.resolve(NodeMarker.TRAFFIC));
        failing = false;
        return;
      } catch (IOException e) {
        LOG.debug("Cannot publish traffic in {}", folder, e);
      }
    }
    if (!failing) {
      failing = true;
      LOG.warn(
          "Cannot publish how busy disks are in any of {}: within a tier, tasks choose dirs by"
              + " claims alone. Are the dirs full or read-only? Not logged again until it works.",
          folders);
    }
  }

  @Override
  public void close() {
    daemon.close();
  }
}
