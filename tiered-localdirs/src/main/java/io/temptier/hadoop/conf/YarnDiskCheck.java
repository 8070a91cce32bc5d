// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.text.Sizes;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Compares our reserves with YARN's own disk check, which takes a dir away from all containers once
 * its file system is used beyond a percentage (90 by default) or has less than so many megabytes
 * free. A fast tier is full most of the time, that is its purpose: if YARN's bound came before our
 * reserve, YARN would drop the fast dirs again and again, which stock Hadoop, filling all dirs
 * alike, would not see. Hence an ERROR.
 */
final class YarnDiskCheck {
  /** Absorbs the rounding of percentages, so that 15% and 100-85 are equal. */
  private static final double ROUNDING = 1e-9;

  /** What is advised beyond YARN's bound, for writers that exceed their estimate. */
  private static final double MARGIN = 0.05;

  // By name: Hadoop 3.1 has no constants for them.
  static final String BY_PERCENT =
      YarnConfiguration.NM_PREFIX + "disk-health-checker.disk-utilization-threshold.enabled";
  static final String BY_BYTES =
      YarnConfiguration.NM_PREFIX + "disk-health-checker.disk-free-space-threshold.enabled";

  private final ConfReader reader;
  private final boolean byPercent;
  private final double maxUsedPercent;
  private final long minFreeMegabytes;

  YarnDiskCheck(ConfReader reader) {
    this.reader = reader;
    Configuration conf = reader.conf();
    boolean on = conf.getBoolean(YarnConfiguration.NM_DISK_HEALTH_CHECK_ENABLE, true);
    byPercent = on && conf.getBoolean(BY_PERCENT, true);
    maxUsedPercent =
        Math.max(
            0,
            Math.min(
                100,
                number(
                    YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE,
                    YarnConfiguration.DEFAULT_NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE)));
    boolean byBytes = on && conf.getBoolean(BY_BYTES, true);
    minFreeMegabytes =
        byBytes
            ? (long)
                number(
                    YarnConfiguration.NM_MIN_PER_DISK_FREE_SPACE_MB,
                    YarnConfiguration.DEFAULT_NM_MIN_PER_DISK_FREE_SPACE_MB)
            : 0;
  }

  private double number(String key, double defaultValue) {
    String value = reader.raw(key);
    try {
      return value.isEmpty() ? defaultValue : Double.parseDouble(value);
    } catch (NumberFormatException e) {
      // YARN itself does not start with it, and says so.
      return defaultValue;
    }
  }

  /** Notes an ERROR for each key whose reserve is less than what YARN's check wants free. */
  void check(List<NodeDir> dirs, TierLayout layout) {
    Set<TierKey> late = new HashSet<>();
    for (Tier tier : layout.tiers()) {
      TierKey key = reader.reserveKey(tier.medium());
      for (NodeDir dir : dirs) {
        if (tier.dirs().contains(dir.dir())
            && !late.contains(key)
            && late(key, tier.reserve(), dir)) {
          late.add(key);
        }
      }
    }
  }

  /** Whether the reserve of a dir bites too late, which is noted then. */
  private boolean late(TierKey key, Reserve reserve, NodeDir dir) {
    long total = dir.totalBytes();
    if (byPercent && reserve.fractionOf(total) < freeFraction() - ROUNDING) {
      String yarn = YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE;
      String kept = Sizes.formatPercent(reserve.fractionOf(total));
      String wanted = Sizes.formatPercent(Math.min(1, freeFraction() + MARGIN));
      reader.error(
          key.key(),
          reader.value(key),
          text(dir, kept, yarn, maxUsedPercent + "", Sizes.formatPercent(freeFraction())),
          "Set " + key + " to " + wanted + ", or raise " + yarn + ".");
      return true;
    }
    if (total > 0 && reserve.bytesOf(total) < minFreeBytes()) {
      String yarn = YarnConfiguration.NM_MIN_PER_DISK_FREE_SPACE_MB;
      String kept = Sizes.format(reserve.bytesOf(total));
      reader.error(
          key.key(),
          reader.value(key),
          text(dir, kept, yarn, minFreeMegabytes + "", Sizes.format(minFreeBytes())),
          "Set " + key + " to more than " + minFreeMegabytes + "m, or lower " + yarn + ".");
      return true;
    }
    return false;
  }

  private String text(NodeDir dir, String kept, String yarnKey, String yarnValue, String yarnFree) {
    return String.format(
        Locale.ROOT,
        "It keeps %s of the file system of %s free, but %s=%s (%s) takes the dir away once less"
            + " than %s is free: before TempTier spills to the next tier.",
        kept,
        dir.dir().path(),
        yarnKey,
        yarnValue,
        reader.origin(yarnKey),
        yarnFree);
  }

  private double freeFraction() {
    return 1 - maxUsedPercent / 100;
  }

  private long minFreeBytes() {
    return minFreeMegabytes > Long.MAX_VALUE >> 20 ? Long.MAX_VALUE : minFreeMegabytes << 20;
  }
}
