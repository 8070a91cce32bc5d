// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.doctor;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** A class that a site file names and that somebody will have to find. */
@AutoValue
abstract class NamedClass {

  private static final String OURS = "io.temptier.";
  private static final String NODE_MANAGER = "yarn.nodemanager.";
  private static final String AUX = YarnConfiguration.NM_AUX_SERVICES + ".";
  private static final List<String> OF_TASKS =
      Immutable.listOf(
          "fs.s3a.impl",
          "fs.s3a.s3.client.factory.impl",
          "fs.AbstractFileSystem.s3a.impl",
          "mapreduce.outputcommitter.factory.scheme.s3a");

  abstract String key();

  abstract String className();

  static NamedClass of(String key, String className) {
    return new AutoValue_NamedClass(key, className);
  }

  /** Those that a NodeManager loads when it starts. */
  static List<NamedClass> ofNodeManager(Rollout rollout) {
    Configuration node = rollout.node();
    List<String> services =
        Immutable.listOf(node.getTrimmedStrings(YarnConfiguration.NM_AUX_SERVICES));
    List<NamedClass> named = new ArrayList<>();
    for (Map.Entry<String, String> property : node) {
      String key = property.getKey();
      boolean names =
          key.startsWith(NODE_MANAGER) && (key.endsWith(".class") || key.endsWith(".classes"));
      boolean ofNoService =
          key.startsWith(AUX)
              && services.stream().noneMatch(service -> key.equals(AUX + service + ".class"));
      if (names && !ofNoService) {
        named.addAll(of(rollout, node, key));
      }
    }
    return named;
  }

  /** Those that a MapReduce task loads. */
  static List<NamedClass> ofTasks(Rollout rollout) {
    return OF_TASKS.stream()
        .flatMap(key -> of(rollout, rollout.job(), key).stream())
        .collect(Immutable.toList());
  }

  private static List<NamedClass> of(Rollout rollout, Configuration conf, String key) {
    return rollout.isSet(conf, key)
        ? PluginClass.classes(conf.get(key, "")).stream()
            .map(className -> NamedClass.of(key, className))
            .filter(named -> !named.className().isEmpty() && !named.isSettled())
            .collect(Immutable.toList())
        : Immutable.listOf();
  }

  boolean isOurs() {
    return className().startsWith(OURS);
  }

  /** Other checks say if ours is misspelt, and what is Hadoop's here is in every Hadoop like it. */
  private boolean isSettled() {
    boolean exists = NamedClass.class.getResource("/" + file()) != null;
    return isOurs() ? !exists : exists && className().startsWith("org.apache.hadoop.");
  }

  /** Its file in a jar or a folder. */
  String file() {
    return className().replace('.', '/') + ".class";
  }

  @Override
  public final String toString() {
    return className() + " (" + key() + ")";
  }
}
