// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import io.temptier.tier.Medium;
import io.temptier.tier.Tier;
import io.temptier.tier.TierLayout;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.settings.DemotionSettings;
import io.temptier.tier.settings.Watermarks;
import io.temptier.tier.text.Sizes;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Checks that demotion begins before files spill, and spilling, by {@link YarnDiskCheck}, before
 * YARN takes a dir away. A low mark that is not below the high one is an ERROR, since the
 * operator's wish is unclear. A high mark that is never reached is a WARNING, since it only leaves
 * demotion idle.
 */
final class DemotionCheck {
  /** Absorbs the rounding of percentages. */
  private static final double ROUNDING = 1e-9;

  private final ConfReader reader;

  DemotionCheck(ConfReader reader) {
    this.reader = reader;
  }

  /** Notes what is wrong with the watermarks of the tiers that have a slower one below them. */
  void check(List<NodeDir> dirs, TierLayout layout) {
    DemotionSettings settings = reader.demotion();
    Set<Medium> idle = EnumSet.allOf(Medium.class);
    List<Tier> tiers = layout.tiers();
    for (Tier tier : tiers.subList(0, Math.max(0, tiers.size() - 1))) {
      idle.remove(tier.medium());
      if (settings.enabled()) {
        check(tier, settings.marksOf(tier.medium()), spillFraction(tier, dirs));
      }
    }
    idle.forEach(this::noteIdle);
  }

  /**
   * Of the dir whose files spill first; 1 where no size is known that bytes could be a share of.
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
    TierKey highKey = reader.deciding(TierKey.DEMOTION_HIGH, tier.medium());
    TierKey lowKey = reader.deciding(TierKey.DEMOTION_LOW, tier.medium());
    Watermarks given = marks.at(spill);
    if (marks.lowGiven() && marks.low() > given.high() - ROUNDING) {
      reader.error(
          lowKey.key(),
          reader.value(lowKey),
          String.format(
              Locale.ROOT,
              "Demotion from %s starts at %s (%s), and would have to stop at once.",
              tier,
              Sizes.formatPercent(given.high()),
              marks.highGiven()
                  ? highKey
                  : "the default of " + highKey + ", below where files spill"),
          "Set " + lowKey + " to less, such as 10 points below.");
    } else if (marks.highGiven() && marks.high() > spill - ROUNDING) {
      TierKey reserveKey = reader.reserveKey(tier.medium());
      reader.warning(
          highKey.key(),
          reader.value(highKey),
          String.format(
              Locale.ROOT,
              "New files go past %s to the next tier once %s of it is used (%s=%s): demotion starts"
                  + " too late to make room for them, if ever.",
              tier,
              Sizes.formatPercent(spill),
              reserveKey,
              reader.value(reserveKey)),
          "Set " + highKey + " to less, such as 5 points below, or lower " + reserveKey + ".");
    }
  }

  private void noteIdle(Medium medium) {
    for (TierKey general : Immutable.listOf(TierKey.DEMOTION_HIGH, TierKey.DEMOTION_LOW)) {
      TierKey key = general.of(medium);
      if (reader.isSet(key)) {
        reader.info(
            key.key(),
            reader.value(key),
            "This node has no " + medium + " dir with a slower tier below it.",
            "Nothing to do.");
      }
    }
  }
}
