// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import io.temptier.bench.experiment.Figure;
import io.temptier.lab.node.WorkerNode;
import io.temptier.lab.testbed.DiskTraffic;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * How evenly HDDs were used. A job takes as long as the busiest one: that one's bytes, read and
 * written by anybody, by the mean of all.
 */
public final class HddBalance {
  public static final Figure FIGURE =
      new Figure("busiestHdd", "busiest HDD's bytes by the mean HDD's");

  private HddBalance() {}

  /** The figure by its name; empty where there are not several HDDs, or they were idle. */
  static Map<String, Double> of(Map<String, DiskTraffic> traffic) {
    long[] bytes =
        traffic.entrySet().stream()
            .filter(disk -> WorkerNode.isHdd(disk.getKey()))
            .mapToLong(disk -> disk.getValue().bytes())
            .toArray();
    double mean = LongStream.of(bytes).average().orElse(0);
    return bytes.length < 2 || mean == 0
        ? Map.of()
        : Map.of(FIGURE.name(), LongStream.of(bytes).max().orElse(0) / mean);
  }
}
