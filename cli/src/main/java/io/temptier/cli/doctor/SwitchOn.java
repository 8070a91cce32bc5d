// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.hadoop.TierKey;
import io.temptier.tier.NearestName;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * The properties that name TempTier's classes.
 *
 * @param key the property
 * @param className the class it should name
 * @param file the site file it belongs into
 */
record SwitchOn(String key, String className, String file) {
  private static final String STOCK_COLLECTOR = "org.apache.hadoop.mapred.MapTask$MapOutputBuffer";

  /** Places what the NodeManager writes. */
  static final SwitchOn NODE_MANAGER =
      new SwitchOn(
          YarnConfiguration.NM_CONTAINER_STATE_TRANSITION_LISTENERS,
          "io.temptier.hadoop.NodeManagerTiering",
          Rollout.YARN_SITE);

  /** Serves map outputs, and demotes them. */
  static final SwitchOn SHUFFLE =
      new SwitchOn(
          YarnConfiguration.NM_AUX_SERVICES + ".mapreduce_shuffle.class",
          "io.temptier.shuffle.TieredShuffleHandler",
          Rollout.YARN_SITE);

  /** Places what map tasks write. */
  static final SwitchOn MAP =
      new SwitchOn(
          MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR,
          "io.temptier.mapreduce.TieredMapOutputCollector",
          Rollout.MAPRED_SITE);

  /** Places what reduce tasks write. */
  static final SwitchOn REDUCE =
      new SwitchOn(
          MRConfig.SHUFFLE_CONSUMER_PLUGIN,
          "io.temptier.mapreduce.TieredShuffle",
          Rollout.MAPRED_SITE);

  /** All of them. */
  static final List<SwitchOn> ALL = List.of(NODE_MANAGER, SHUFFLE, MAP, REDUCE);

  /** The names of the classes that a value lists. */
  static List<String> classes(String value) {
    return Arrays.stream(value.split(",", -1)).map(String::trim).toList();
  }

  /** Whether a configuration names the class. */
  boolean namedIn(Configuration conf) {
    return classes(conf.get(key, "")).contains(className);
  }

  /** Whether TempTier is wanted at all. */
  static boolean wanted(Rollout rollout) {
    return rollout.node().getBoolean(TierKey.ENABLED.key(), true);
  }

  /** The listed name that means this class but is not spelled like it. */
  Optional<String> misspelt(List<String> listed) {
    return listed.stream()
        .filter(name -> !name.equals(className))
        .filter(
            name ->
                name.startsWith("io.temptier.")
                    || NearestName.of(name, List.of(className)).isPresent())
        .findFirst();
  }

  /**
   * The property to paste. Behind our collector stands stock's: Hadoop takes the first that starts.
   */
  String paste() {
    return Paste.into(file, key, equals(MAP) ? className + "," + STOCK_COLLECTOR : className);
  }
}
