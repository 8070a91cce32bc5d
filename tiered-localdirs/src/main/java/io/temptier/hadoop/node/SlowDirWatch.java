// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.tier.LocalDir;
import io.temptier.tier.TierLayout;
import io.temptier.tier.kernel.DiskStats;
import io.temptier.tier.kernel.KernelClassifier;
import io.temptier.tier.slow.SlowDirs;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches how long the disks of the local dirs take, by the kernel's counters, and says which dirs
 * are slow and when that changes. Where there are no counters no dir is slow. Its own thread reads
 * one file of procfs, which no disk can hold up.
 */
final class SlowDirWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SlowDirWatch.class);
  private static final Duration WINDOW = Duration.ofSeconds(SlowDirs.WINDOW_SECONDS);

  private final KernelClassifier kernel;
  private final DirDisks disks;
  private final SlowDirs decision;
  private final PeriodicDaemon daemon;
  private final Set<LocalDir> slow = ConcurrentHashMap.newKeySet();
  private @Nullable DiskStats before;
  private boolean blind;

  /**
   * A watch over all dirs of a node.
   *
   * @param disks what the dirs lie on
   * @param kernel has the counters
   */
  SlowDirWatch(TierLayout layout, DirDisks disks, KernelClassifier kernel) {
    this.disks = disks;
    this.kernel = kernel;
    this.decision = new SlowDirs(layout);
    this.daemon = new PeriodicDaemon("TempTier disk watch", WINDOW, this::window);
  }

  /** Begins. */
  void start() {
    daemon.start();
  }

  /** Whether a dir is slow. No I/O. */
  boolean slow(LocalDir dir) {
    return slow.contains(dir);
  }

  /**
   * Ends a window and begins the next. Reads a file of procfs; one thread at a time.
   *
   * @return what changed, and was logged
   */
  List<SlowDirs.Change> window() {
    Optional<DiskStats> stats = kernel.diskStats();
    if (stats.isEmpty() && !blind) {
      blind = true;
      LOG.warn(
          "The kernel's /proc/diskstats cannot be read: no local dir will be passed over for being"
              + " slow");
    }
    DiskStats last = before;
    before = stats.orElse(null);
    if (last == null || stats.isEmpty()) {
      return List.of();
    }
    List<SlowDirs.Change> changes = decision.window(disks.disks(), stats.get().since(last));
    for (SlowDirs.Change change : changes) {
      if (change.slow()) {
        slow.add(change.dir());
        LOG.warn("{}", text(change));
      } else {
        slow.remove(change.dir());
        LOG.info("{}", text(change));
      }
    }
    return changes;
  }

  /** A change in words, with its figures. */
  static String text(SlowDirs.Change change) {
    String figures =
        change
            .figures()
            .map(
                by ->
                    String.format(
                        Locale.ROOT,
                        "%.1f ms per I/O, the disks of %s %.1f ms %s",
                        by.awaitMillis(),
                        by.below(),
                        by.belowAwaitMillis(),
                        by.belowIdle() ? "when last at work" : "at the same time"))
            .orElse("next to no I/O");
    return String.format(
        Locale.ROOT,
        "Local dir %s has %sbeen slower than the tier below for %d s (%d windows; in the last: %s)."
            + " %s",
        change.dir(),
        change.slow() ? "" : "not ",
        change.windows() * WINDOW.toSeconds(),
        change.windows(),
        figures,
        change.slow()
            ? "New files go to other dirs while those have room, until it recovers. Look at the"
                + " disk's health and temperature, and at who else uses it."
            : "It takes files again.");
  }

  @Override
  public void close() {
    daemon.close();
  }
}
