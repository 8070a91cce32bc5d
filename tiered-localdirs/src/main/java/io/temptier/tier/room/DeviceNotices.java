// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import io.temptier.tier.LocalDir;
import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.TimedCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * The NodeManager's last report on the disks of all dirs, read at most every {@link
 * #REFRESH_MILLIS}. It lies in the fastest dir that answers; a reader does not know which that is,
 * so it tries one after the other, each on a thread to spare, and waits {@link #PATIENCE} for it at
 * most. Without a word from the NodeManager all dirs are sound and idle. Safe for use by many
 * threads, of which one reads while the others go by what was read before.
 */
final class DeviceNotices {
  /** The NodeManager publishes once a second at most. */
  static final long REFRESH_MILLIS = 500;

  /**
   * The file is in the page cache of a sound node and takes microseconds; a thread of a loaded one
   * may wait for a core as long as this. A process waits so long for a dir that hangs, once.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final TimedCalls READS = new TimedCalls("TempTier device notices", 1);

  /** Last report read in this JVM: a placer of some dirs may lack the one with the news. */
  private static volatile PublishedDevices latest = PublishedDevices.NONE;

  private final List<Path> roots;
  private final LongSupplier clockMillis;
  private final AtomicBoolean reading = new AtomicBoolean();
  private volatile PublishedDevices last = PublishedDevices.NONE;
  private volatile long readMillis;

  /** Reads for the first time from the local dirs that the news may lie in, fastest first. */
  DeviceNotices(List<Path> roots, LongSupplier clockMillis) {
    this.roots = roots;
    this.clockMillis = clockMillis;
    read(clockMillis.getAsLong());
  }

  PublishedDevices.Device of(LocalDir dir) {
    long now = clockMillis.getAsLong();
    if (Math.abs(now - readMillis) >= REFRESH_MILLIS && reading.compareAndSet(false, true)) {
      try {
        read(now);
      } finally {
        reading.set(false);
      }
    }
    return last.of(dir.path());
  }

  private void read(long now) {
    PublishedDevices found = last.fresh(now) ? last : PublishedDevices.NONE;
    found = latest.atMillis() > found.atMillis() && latest.fresh(now) ? latest : found;
    for (Path root : roots) {
      Path file = root.resolve(NodeMarker.DIR).resolve(NodeMarker.DEVICES);
      try {
        Optional<PublishedDevices> read =
            READS.call(file, PATIENCE, () -> PublishedDevices.read(file));
        if (read.isPresent() && read.get().fresh(now)) {
          found = read.get();
          latest = found;
          break;
        }
      } catch (IOException e) {
        // It does not answer in time; the next one may.
      }
    }
    last = found;
    readMillis = now;
  }
}
