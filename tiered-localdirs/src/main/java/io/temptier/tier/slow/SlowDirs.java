// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.slow;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.kernel.DiskLoad;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which local dirs answer slower than the tier below them: a drive that throttles or
 * retries, a volume whose network is congested. Pure: no I/O and no clock; it is told window by
 * window what every disk did. One window should be {@link #WINDOW_SECONDS} long.
 *
 * <p><b>Slow in a window</b> is a dir whose disk did at least {@link #LEAST_IOS}, each taking
 *
 * <ul>
 *   <li>more than {@link #FLOOR_MILLIS} on average: what a rotating disk takes to seek and turn is
 *       8 to 15 ms, so that below it nobody would gain by going there;
 *   <li>more than those of the tier below, the fastest that did as many I/Os in the window; when
 *       all were idle, than they took when last they were not. A tier that was never seen at work
 *       is no reason to go there;
 * </ul>
 *
 * and moving less, for the time it was at work, than a disk of that tier was ever seen to. Time per
 * I/O alone cannot tell a sick disk from one with a long queue: the kernel writes back a hundred
 * megabytes at once, so that a sound NVMe disk, at a gigabyte a second, shows 100 ms beside an idle
 * rotating one's 8.
 *
 * <p><b>Slow</b> is a dir that was so for {@link #BAD_WINDOWS} in a row. It is tried again after
 * {@link #GOOD_WINDOWS} windows at work that were not slow, or {@link #CALM_WINDOWS} that were not
 * slow, idle ones included, since nothing goes there now. If it then turns slow again, before
 * {@link #FORGIVEN_WINDOWS} good ones at work, these numbers double, up to {@link #MOST_DOUBLINGS}
 * times, so that it does not flap.
 *
 * <p>The slowest tier is never slow: nothing is below it. Dirs that have a disk in common are not
 * compared. A dir of several disks is as slow as the slowest of them. Dirs without a disk, such as
 * those in memory or on a network file system, are never slow, and nothing is compared with them.
 *
 * <p>For use by one thread.
 */
public final class SlowDirs {
  /** How long a window is. */
  public static final int WINDOW_SECONDS = 10;

  /** Fewer I/Os in a window say nothing. */
  static final long LEAST_IOS = 20;

  /** No dir is slow whose I/Os take less. */
  static final double FLOOR_MILLIS = 20;

  /** Slow windows in a row that make a dir slow. */
  static final int BAD_WINDOWS = 3;

  /** Windows at work and not slow after which it is tried again. */
  static final int GOOD_WINDOWS = 3;

  /** Windows not slow, idle or at work, after which it is tried again. */
  static final int CALM_WINDOWS = 6;

  /** Good windows at work after which nothing is held against it. */
  static final int FORGIVEN_WINDOWS = 30;

  /** The longest it is left alone is {@code CALM_WINDOWS << MOST_DOUBLINGS}: about an hour. */
  static final int MOST_DOUBLINGS = 6;

  /**
   * A dir that turned slow, or is tried again.
   *
   * @param dir the dir
   * @param slow which of the two
   * @param windows how many windows led to it
   * @param figures of the last window, or empty when the dir was idle in it
   */
  public record Change(LocalDir dir, boolean slow, int windows, Optional<Figures> figures) {}

  /**
   * What a dir was compared by.
   *
   * @param awaitMillis of its I/Os
   * @param below the tier it was compared with
   * @param belowAwaitMillis of that tier's
   * @param belowIdle whether that is from an earlier window
   */
  public record Figures(
      double awaitMillis, Medium below, double belowAwaitMillis, boolean belowIdle) {}

  private record Reference(Medium medium, DiskLoad load, double bestPace, boolean idle) {}

  private final TierLayout layout;
  private final Map<LocalDir, SlowStreak> streaks = new HashMap<>();
  private final Map<String, DiskLoad> lastBusy = new HashMap<>();
  private final Map<String, Double> bestPace = new HashMap<>();

  /** No dir is slow to begin with. */
  public SlowDirs(TierLayout layout) {
    this.layout = layout;
    layout.dirs().forEach(dir -> streaks.put(dir, new SlowStreak()));
  }

  /** Whether a dir is slow now. */
  public boolean slow(LocalDir dir) {
    SlowStreak streak = streaks.get(dir);
    return streak != null && streak.slow();
  }

  /**
   * Hears of another window.
   *
   * @param disksOf the disks below each dir; none when they are not known
   * @param loads what each disk did in the window; a disk left out is not known to have done
   *     anything
   * @return what changed
   */
  public List<Change> window(Map<LocalDir, Set<String>> disksOf, Map<String, DiskLoad> loads) {
    loads.forEach(this::remember);
    List<Change> changes = new ArrayList<>();
    List<Tier> tiers = layout.tiers();
    for (int t = 0; t < tiers.size() - 1; t++) {
      List<Tier> below = tiers.subList(t + 1, tiers.size());
      for (LocalDir dir : tiers.get(t).dirs()) {
        judge(dir, disksOf, loads, below).ifPresent(changes::add);
      }
    }
    return changes;
  }

  private void remember(String disk, DiskLoad load) {
    if (load.ios() >= LEAST_IOS) {
      lastBusy.put(disk, load);
      bestPace.merge(disk, load.pace(), Math::max);
    }
  }

  private Optional<Change> judge(
      LocalDir dir,
      Map<LocalDir, Set<String>> disksOf,
      Map<String, DiskLoad> loads,
      List<Tier> below) {
    SlowStreak streak = streaks.computeIfAbsent(dir, any -> new SlowStreak());
    Set<String> disks = disksOf.getOrDefault(dir, Set.of());
    DiskLoad load = slowest(disks, loads);
    Reference reference = load == null ? null : reference(disks, disksOf, loads, below);
    boolean bad = load != null && reference != null && slower(load, reference);
    int windows = streak.hear(load != null, bad);
    if (windows == 0) {
      return Optional.empty();
    }
    Optional<Figures> figures =
        load == null || reference == null
            ? Optional.empty()
            : Optional.of(
                new Figures(
                    load.awaitMillis(),
                    reference.medium(),
                    reference.load().awaitMillis(),
                    reference.idle()));
    return Optional.of(new Change(dir, streak.slow(), windows, figures));
  }

  private static boolean slower(DiskLoad load, Reference reference) {
    return load.awaitMillis() > FLOOR_MILLIS
        && load.awaitMillis() > reference.load().awaitMillis()
        && load.pace() < reference.bestPace();
  }

  /** The load of the disk whose I/Os took longest; null when none did enough of them. */
  private static @Nullable DiskLoad slowest(Set<String> disks, Map<String, DiskLoad> loads) {
    DiskLoad slowest = null;
    for (String disk : disks) {
      DiskLoad load = loads.getOrDefault(disk, DiskLoad.NONE);
      if (load.ios() >= LEAST_IOS
          && (slowest == null || load.awaitMillis() > slowest.awaitMillis())) {
        slowest = load;
      }
    }
    return slowest;
  }

  /** What to compare with; null when there is nothing. */
  private @Nullable Reference reference(
      Set<String> disks,
      Map<LocalDir, Set<String>> disksOf,
      Map<String, DiskLoad> loads,
      List<Tier> below) {
    Reference idle = null;
    for (Tier tier : below) {
      Set<String> comparable = comparable(tier, disks, disksOf);
      DiskLoad now = together(comparable, loads);
      if (now.ios() >= LEAST_IOS) {
        return new Reference(tier.medium(), now, bestPace(comparable), false);
      }
      DiskLoad last = together(comparable, lastBusy);
      if (idle == null && last.ios() > 0) {
        idle = new Reference(tier.medium(), last, bestPace(comparable), true);
      }
    }
    return idle;
  }

  /** The disks of a tier's dirs that files can go to instead. */
  private Set<String> comparable(Tier tier, Set<String> disks, Map<LocalDir, Set<String>> disksOf) {
    Set<String> comparable = new HashSet<>();
    for (LocalDir dir : tier.dirs()) {
      Set<String> others = disksOf.getOrDefault(dir, Set.of());
      if (!slow(dir) && others.stream().noneMatch(disks::contains)) {
        comparable.addAll(others);
      }
    }
    return comparable;
  }

  private static DiskLoad together(Set<String> disks, Map<String, DiskLoad> loads) {
    DiskLoad sum = DiskLoad.NONE;
    for (String disk : disks) {
      sum = sum.plus(loads.getOrDefault(disk, DiskLoad.NONE));
    }
    return sum;
  }

  private double bestPace(Set<String> disks) {
    return disks.stream().mapToDouble(disk -> bestPace.getOrDefault(disk, 0.0)).max().orElse(0);
  }
}
