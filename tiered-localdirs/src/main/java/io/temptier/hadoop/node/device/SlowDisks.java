// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.device;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.kernel.DiskLoad;
import io.temptier.tier.lang.Immutable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which local dirs answer slower than the tier below them: a drive that throttles or
 * retries, a volume whose network is congested. No I/O and no clock: it is told window by window
 * what every disk did. Idle disks do the monitor's own I/O, so that none is ever without.
 *
 * <p>A dir turns <b>slow</b> by one window of {@link #WINDOW_SECONDS}, as long as the kernel lets
 * written data wait in memory ({@code vm.dirty_expire_centisecs}), so that a burst of write-back is
 * seen with the quiet around it. In it the I/Os of the dir's disk took on average
 *
 * <ul>
 *   <li>more than {@link #FLOOR_MILLIS}: a rotating disk takes 8 to 15 ms to seek and turn, so that
 *       below it nobody would gain by going there;
 *   <li>longer than those of the tier below, which may have a queue of its own;
 * </ul>
 *
 * and moved less, for the time it was at work, than a disk of that tier was ever seen to. Time per
 * I/O alone cannot tell a sick disk from one with a long queue: a sound NVMe disk that is given a
 * hundred megabytes at once shows 100 ms beside an idle rotating one's 8.
 *
 * <p>It is tried again after {@link #GOOD_WINDOWS} windows that were not so. One that is sick only
 * under load then costs a window in twenty-one, 5 % of the time, without counting its relapses.
 *
 * <p>The slowest tier is never slow: nothing is below it. Dirs that have a disk in common are not
 * compared. A dir of several disks is as slow as the slowest of them. Dirs without a disk, such as
 * those in memory or on a network file system, are never slow, and nothing is compared with them.
 *
 * <p>For use by one thread.
 */
final class SlowDisks {
  private static final Logger LOG = LoggerFactory.getLogger(SlowDisks.class);

  static final int WINDOW_SECONDS = 30;

  static final double FLOOR_MILLIS = 20;
  static final int GOOD_WINDOWS = 20;

  /** Tier that a disk is compared with: its last load, and the highest pace it ever had. */
  private static final class Below {
    final Medium medium;
    final DiskLoad load;
    final double bestPace;

    Below(Medium medium, DiskLoad load, double bestPace) {
      this.medium = medium;
      this.load = load;
      this.bestPace = bestPace;
    }
  }

  private final TierLayout layout;

  /** Good windows that are still missing, of dirs that are slow. */
  private final Map<LocalDir, Integer> slow = new HashMap<>();

  private final Map<String, DiskLoad> lastLoad = new HashMap<>();
  private final Map<String, Double> bestPace = new HashMap<>();

  SlowDisks(TierLayout layout) {
    this.layout = layout;
  }

  boolean slow(LocalDir dir) {
    return slow.containsKey(dir);
  }

  /** Hears what each disk did in another window, and logs what changed. */
  void window(Map<LocalDir, Set<String>> disksOf, Map<String, DiskLoad> loads) {
    loads.forEach(
        (disk, load) -> {
          if (load.ios() > 0) {
            lastLoad.put(disk, load);
            bestPace.merge(disk, load.pace(), Math::max);
          }
        });
    List<Tier> tiers = layout.tiers();
    for (int t = 0; t < tiers.size() - 1; t++) {
      for (LocalDir dir : tiers.get(t).dirs()) {
        judge(dir, disksOf, loads, tiers.subList(t + 1, tiers.size()));
      }
    }
  }

  private void judge(
      LocalDir dir,
      Map<LocalDir, Set<String>> disksOf,
      Map<String, DiskLoad> loads,
      List<Tier> tiersBelow) {
    Set<String> disks = disksOf.getOrDefault(dir, Immutable.setOf());
    DiskLoad load = DiskLoad.NONE;
    for (String disk : disks) {
      DiskLoad diskLoad = loads.getOrDefault(disk, DiskLoad.NONE);
      load = diskLoad.awaitMillis() > load.awaitMillis() ? diskLoad : load;
    }
    Below below = below(disks, disksOf, tiersBelow);
    boolean bad =
        below != null
            && load.awaitMillis() > Math.max(FLOOR_MILLIS, below.load.awaitMillis())
            && load.pace() < below.bestPace;
    Integer missing = slow.get(dir);
    if (bad) {
      slow.put(dir, GOOD_WINDOWS);
      if (missing == null) {
        LOG.warn(
            "Local dir {} is slower than the tier below ({}, within {} s). New files go to other"
                + " dirs while those have room. Look at the disk's health and temperature, and at"
                + " who else uses it.",
            dir,
            figures(load, below),
            WINDOW_SECONDS);
      }
    } else if (missing != null && missing > 1) {
      slow.put(dir, missing - 1);
    } else if (missing != null) {
      slow.remove(dir);
      LOG.info(
          "Local dir {} takes files again: not slower than the tier below for {} minutes ({})",
          dir,
          GOOD_WINDOWS * WINDOW_SECONDS / 60,
          figures(load, below));
    }
  }

  /** The fastest tier below that files can go to instead; null when none was seen at work. */
  private @Nullable Below below(
      Set<String> disks, Map<LocalDir, Set<String>> disksOf, List<Tier> tiersBelow) {
    for (Tier tier : tiersBelow) {
      Set<String> others = new HashSet<>();
      for (LocalDir dir : tier.dirs()) {
        Set<String> dirDisks = disksOf.getOrDefault(dir, Immutable.setOf());
        if (!slow.containsKey(dir) && dirDisks.stream().noneMatch(disks::contains)) {
          others.addAll(dirDisks);
        }
      }
      DiskLoad together = DiskLoad.NONE;
      double best = 0;
      for (String disk : others) {
        together = together.plus(lastLoad.getOrDefault(disk, DiskLoad.NONE));
        best = Math.max(best, bestPace.getOrDefault(disk, 0.0));
      }
      if (together.ios() > 0) {
        return new Below(tier.medium(), together, best);
      }
    }
    return null;
  }

  private static String figures(DiskLoad load, @Nullable Below below) {
    String loadText = figures(load, load.pace());
    return below == null
        ? loadText
        : loadText + "; " + below.medium + " " + figures(below.load, below.bestPace) + " at best";
  }

  /** A byte in a millisecond is a thousandth of a megabyte in a second. */
  private static String figures(DiskLoad load, double pace) {
    return String.format(Locale.ROOT, "%.1f ms per I/O, %.1f MB/s", load.awaitMillis(), pace / 1e3);
  }
}
