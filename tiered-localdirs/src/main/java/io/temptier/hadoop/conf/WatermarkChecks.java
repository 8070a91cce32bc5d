// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import io.temptier.hadoop.conf.DirChecks.NodeDir;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.marker.DemotionSettings;
import io.temptier.tier.text.Sizes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Checks the order of the watermarks: demotion begins before files spill, and files spill before
 * YARN takes a dir away.
 *
 * <p>YARN's own disk check takes a dir away from all containers once its file system is used beyond
 * a percentage (90 by default) or has less than so many megabytes free. A fast tier is full most of
 * the time, that is its purpose: if YARN's bound came before our reserve, YARN would drop the fast
 * dirs again and again, which stock Hadoop, filling all dirs alike, would not see. Hence an ERROR.
 *
 * <p>A low mark of demotion that is not below the high one is an ERROR, since the operator's wish
 * is unclear. A high mark that is never reached is a WARNING, since it only leaves demotion idle.
 */
final class WatermarkChecks {
  /** Absorbs the rounding of percentages, so that 15% and 100-85 are equal. */
  private static final double ROUNDING = 1e-9;

  /** Share advised beyond YARN's bound, for writers that exceed their estimate. */
  private static final double MARGIN = 0.05;

  // Spelt out: Hadoop 3.1 has no constants for them.
  static final String BY_PERCENT =
      YarnConfiguration.NM_PREFIX + "disk-health-checker.disk-utilization-threshold.enabled";
  static final String BY_BYTES =
      YarnConfiguration.NM_PREFIX + "disk-health-checker.disk-free-space-threshold.enabled";

  private final ConfReader reader;
  private final boolean byPercent;
  private final double maxUsedPercent;
  private final long minFreeMegabytes;

  WatermarkChecks(ConfReader reader) {
    this.reader = reader;
    Configuration conf = reader.conf();
    boolean checked = conf.getBoolean(YarnConfiguration.NM_DISK_HEALTH_CHECK_ENABLE, true);
    byPercent = checked && conf.getBoolean(BY_PERCENT, true);
    double percent =
        reader.number(
            YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE,
            YarnConfiguration.DEFAULT_NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE);
    maxUsedPercent = Math.max(0, Math.min(100, percent));
    boolean byBytes = checked && conf.getBoolean(BY_BYTES, true);
    minFreeMegabytes =
        byBytes
            ? (long)
                reader.number(
                    YarnConfiguration.NM_MIN_PER_DISK_FREE_SPACE_MB,
                    YarnConfiguration.DEFAULT_NM_MIN_PER_DISK_FREE_SPACE_MB)
            : 0;
  }

  /** Notes an ERROR for each key whose reserve is less than what YARN's check wants free. */
  void checkReserves(List<NodeDir> dirs, TierLayout layout) {
    Set<TierKey> late = new HashSet<>();
    for (Tier tier : layout.tiers()) {
      TierKey key = reader.reserveKey(tier.medium());
      for (NodeDir dir : dirs) {
        if (tier.dirs().contains(dir.dir()) && !late.contains(key) && late(key, tier, dir)) {
          late.add(key);
        }
      }
    }
  }

  /** Notes a dir whose reserve bites too late; true if it does. */
  private boolean late(TierKey key, Tier tier, NodeDir dir) {
    long total = dir.totalBytes();
    double kept = tier.reserve().fractionOf(total);
    double wanted = 1 - maxUsedPercent / 100;
    if (byPercent && kept < wanted - ROUNDING) {
      noteLate(
          key,
          Sizes.formatPercent(kept),
          dir,
          YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE,
          maxUsedPercent,
          Sizes.formatPercent(wanted),
          Sizes.formatPercent(Math.min(1, wanted + MARGIN)) + ", or raise");
      return true;
    }
    long bytes = tier.reserve().bytesOf(total);
    long wantedBytes =
        minFreeMegabytes > Long.MAX_VALUE >> 20 ? Long.MAX_VALUE : minFreeMegabytes << 20;
    if (total > 0 && bytes < wantedBytes) {
      noteLate(
          key,
          Sizes.format(bytes),
          dir,
          YarnConfiguration.NM_MIN_PER_DISK_FREE_SPACE_MB,
          minFreeMegabytes,
          Sizes.format(wantedBytes),
          "more than " + minFreeMegabytes + "m, or lower");
      return true;
    }
    return false;
  }

  private void noteLate(
      TierKey key, String kept, NodeDir dir, String yarn, Object bound, String free, String to) {
    String origin = reader.origin(yarn);
    reader.note("reserve late", key, kept, dir.dir().path(), yarn, bound, origin, free, key, to);
  }

  /** Notes what is wrong with the watermarks of the tiers that have a slower one below them. */
  void checkMarks(List<NodeDir> dirs, TierLayout layout) {
    DemotionSettings settings = reader.demotion();
    List<Tier> tiers = layout.tiers();
    for (Tier tier : tiers.subList(0, Math.max(0, tiers.size() - 1))) {
      if (settings.enabled()) {
        check(tier, settings.marks(), spillFraction(tier, dirs));
      }
    }
  }

  /**
   * Returns the used share at which the tier's first dir spills; 1 where no size is known that
   * bytes could be a share of.
   */
  private static double spillFraction(Tier tier, List<NodeDir> dirs) {
    return dirs.stream()
        .filter(dir -> tier.dirs().contains(dir.dir()))
        .filter(dir -> dir.totalBytes() > 0 || tier.reserve().bytes() == 0)
        .mapToDouble(dir -> 1 - tier.reserve().fractionOf(dir.totalBytes()))
        .min()
        .orElse(1);
  }

  private void check(Tier tier, DemotionSettings.Marks marks, double spill) {
    TierKey high = TierKey.DEMOTION_HIGH;
    TierKey low = TierKey.DEMOTION_LOW;
    double from = marks.at(spill).high();
    if (marks.lowGiven() && marks.low() > from - ROUNDING) {
      reader.note(
          "low not below",
          low,
          tier,
          Sizes.formatPercent(from),
          marks.highGiven() ? high : "the default of " + high + ", below where files spill",
          low);
    } else if (marks.highGiven() && marks.high() > spill - ROUNDING) {
      TierKey reserve = reader.reserveKey(tier.medium());
      String mark = Sizes.formatPercent(spill);
      reader.note("high late", high, tier, mark, reserve, reader.value(reserve), high);
    }
  }
}
