// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.report;

import io.temptier.hadoop.conf.ShuffleSettings;
import io.temptier.hadoop.conf.TierKey;
import io.temptier.tier.Medium;
import io.temptier.tier.Tier;
import io.temptier.tier.settings.DemotionSettings;
import io.temptier.tier.settings.NodeTiers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;

/** The knobs of a node as resolved, for JMX: all but what the layout tells, dirs and reserves. */
public final class SettingsReport {
  private SettingsReport() {}

  /**
   * Every knob by its name.
   *
   * @param node what was resolved; what is set for other media has no effect and is left out
   * @param conf the NodeManager's
   */
  public static Map<String, Object> of(NodeTiers node, boolean shiftWhenSlow, Configuration conf) {
    List<Tier> tiers = node.layout().tiers();
    Map<String, Object> all = node.settings().byName();
    all.put("shiftWhenSlow", shiftWhenSlow);
    all.put("smartctl", conf.getTrimmed(TierKey.SMARTCTL.key(), TierKey.SMARTCTL.defaultValue()));
    DemotionSettings demotion = node.demotion();
    all.put("demotionEnabled", demotion.enabled());
    all.put("demotionBytesPerSecond", demotion.bytesPerSecond());
    all.put("demotionHigh", each(tiers, medium -> demotion.marksOf(medium).high()));
    all.put("demotionLow", each(tiers, medium -> demotion.marksOf(medium).low()));
    ShuffleSettings shuffle = ShuffleSettings.of(conf);
    all.put("shuffleMemoryBytes", shuffle.memoryBytes());
    all.put("shuffleLaneDepth", each(tiers, shuffle::laneDepth));
    return all;
  }

  private static Map<Medium, Object> each(List<Tier> tiers, Function<Medium, Object> setting) {
    Map<Medium, Object> all = new LinkedHashMap<>();
    tiers.forEach(tier -> all.put(tier.medium(), setting.apply(tier.medium())));
    return all;
  }
}
