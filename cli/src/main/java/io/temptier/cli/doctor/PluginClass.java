// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import io.temptier.tier.NearestName;
import io.temptier.tier.lang.Immutable;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** The classes that switch TempTier on, each with the property that names it. */
enum PluginClass {
  /** Places what the NodeManager writes. */
  NODE_MANAGER(
      YarnConfiguration.NM_CONTAINER_STATE_TRANSITION_LISTENERS,
      "io.temptier.hadoop.NodeManagerTiering"),
  /** Serves map outputs, and demotes them. */
  SHUFFLE(
      YarnConfiguration.NM_AUX_SERVICES + ".mapreduce_shuffle.class",
      "io.temptier.shuffle.TieredShuffleHandler");

  private final String key;
  private final String className;

  PluginClass(String key, String className) {
    this.key = key;
    this.className = className;
  }

  String key() {
    return key;
  }

  String className() {
    return className;
  }

  /** Whether NodeManagers are to load it. */
  boolean isIn(Rollout rollout) {
    return classes(rollout.node().get(key, "")).contains(className);
  }

  /** The names of the classes that a value lists. */
  static List<String> classes(String value) {
    return Arrays.stream(value.split(",", -1)).map(String::trim).collect(Immutable.toList());
  }

  /** The listed name that means this class but is not spelled like it. */
  Optional<String> misspelt(List<String> listed) {
    return listed.stream()
        .filter(name -> !name.equals(className))
        .filter(
            name ->
                name.startsWith("io.temptier.")
                    || NearestName.of(name, Immutable.listOf(className)).isPresent())
        .findFirst();
  }
}
