// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import io.temptier.lab.cluster.ClusterSpec;
import java.util.Map;

/**
 * A node shared by a large job and by others, so that neither waits for the other's containers:
 * Hadoop's Capacity scheduler with a queue for each. What the others are slower beside it is then
 * due to disks, cores and memory.
 */
public final class TwoQueues {
  private static final String CAPACITY = "yarn.scheduler.capacity.";
  private static final String LARGE = "large";
  private static final String OTHERS = "default";

  /** Of tasks at once, with which each queue has room for an application master and two tasks. */
  public static final int TASKS = 6;

  private static final int LARGE_PERCENT = 60;

  private TwoQueues() {}

  public static void configure(ClusterSpec.Builder spec) {
    spec.yarn(
            "yarn.resourcemanager.scheduler.class",
            "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler")
        .yarn(CAPACITY + "root.queues", LARGE + "," + OTHERS)
        .yarn(CAPACITY + "maximum-am-resource-percent", "1.0");
    queue(spec, LARGE, LARGE_PERCENT, LARGE_PERCENT);
    // What makes the input has the node for itself.
    queue(spec, OTHERS, 100 - LARGE_PERCENT, 100);
  }

  private static void queue(ClusterSpec.Builder spec, String name, int percent, int atMost) {
    String queue = CAPACITY + "root." + name + ".";
    spec.yarn(queue + "capacity", Integer.toString(percent))
        .yarn(queue + "maximum-capacity", Integer.toString(atMost))
        // One user may have all of it.
        .yarn(queue + "user-limit-factor", "10");
  }

  public static Map<String, String> large() {
    return Map.of("mapreduce.job.queuename", LARGE);
  }
}
