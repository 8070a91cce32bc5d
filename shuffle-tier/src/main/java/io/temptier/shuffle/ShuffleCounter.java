// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static io.temptier.hadoop.metrics.Metric.Definition.eachCounter;
import static io.temptier.hadoop.metrics.Metric.Definition.eachGauge;
import static io.temptier.hadoop.metrics.Metric.Definition.nodeCounter;
import static io.temptier.hadoop.metrics.Metric.Definition.nodeGauge;

import io.temptier.hadoop.metrics.Metric;

/** Every number of the shuffle handler, with its meaning; generates {@code docs/metrics.md}. */
public enum ShuffleCounter implements Metric {
  SEGMENTS_SENT(eachCounter("Segments of map outputs sent to their last byte, and their bytes.")),
  BYTES_SENT(eachCounter("Segments of map outputs sent to their last byte, and their bytes.")),
  READ_LATENCY_P50_MICROS(eachGauge(ShuffleCounter.LATENCY)),
  READ_LATENCY_P99_MICROS(eachGauge(ShuffleCounter.LATENCY)),
  READ_LATENCY_P999_MICROS(eachGauge(ShuffleCounter.LATENCY)),
  READ_STALLS(eachCounter("Reads that took 500 ms or more.")),
  QUEUE_DEPTH(eachGauge("Reads and look-ups that wait in the devices' queues.")),
  ACTIVE(
      nodeGauge(
          "1 when each device serves map outputs by its own queue, 0 when they are served stock"
              + " Hadoop's way; the log says why.")),
  MEMORY_BYTES(nodeGauge("Bytes in use of `temptier.shuffle.memory`.")),
  MEMORY_WAITS(
      nodeCounter(
          "Times a read waited for memory: raise `temptier.shuffle.memory` when this grows."));

  private static final String LATENCY =
      "Percentiles of a read's time (at most 1 MiB) in the last ten seconds, with its time in the"
          + " queue.";

  private final Definition definition;

  ShuffleCounter(Definition definition) {
    this.definition = definition;
  }

  @Override
  public Definition definition() {
    return definition;
  }
}
