// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The properties that switch TempTier on and off in a single job. */
public final class JobPlugins {
  private static final String COLLECTOR = "mapreduce.job.map.output.collector.class";
  private static final String SHUFFLE = "mapreduce.job.reduce.shuffle.consumer.plugin.class";
  private static final String STOCK_COLLECTOR = "org.apache.hadoop.mapred.MapTask$MapOutputBuffer";

  /** What switches TempTier on, where the tasks' configuration knows the local dirs. */
  public static final Map<String, String> TIERED =
      Map.of(
          COLLECTOR,
          // Hadoop takes the first that starts: stock's is the net below ours.
          "io.temptier.mapreduce.TieredMapOutputCollector," + STOCK_COLLECTOR,
          SHUFFLE,
          "io.temptier.mapreduce.TieredShuffle");

  /** What switches it off, on a cluster that has it on for all. */
  public static final Map<String, String> STOCK =
      Map.of(
          COLLECTOR, STOCK_COLLECTOR, SHUFFLE, "org.apache.hadoop.mapreduce.task.reduce.Shuffle");

  private JobPlugins() {}

  /**
   * What switches TempTier on, on a cluster whose spec has it off.
   *
   * @param dirs the local dirs of the node, with absolute paths
   */
  public static Map<String, String> tiered(List<ClusterSpec.Dir> dirs) {
    Map<String, String> properties = new HashMap<>(TIERED);
    properties.put(
        "temptier.local-dirs",
        dirs.stream().map(dir -> dir.tag() + dir.path()).collect(Collectors.joining(",")));
    return properties;
  }
}
