// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import static io.temptier.hadoop.metrics.Metric.Definition.eachCounter;
import static io.temptier.hadoop.metrics.Metric.Definition.eachGauge;
import static io.temptier.hadoop.metrics.Metric.Definition.nodeCounter;
import static io.temptier.hadoop.metrics.Metric.Definition.nodeGauge;

import io.temptier.hadoop.metrics.Metric;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.lang.Immutable;
import java.util.Arrays;
import java.util.List;

/**
 * Every number the shuffle handler shows, with its meaning; {@code docs/metrics.md} is generated
 * from it.
 */
public enum ShuffleCounter implements Metric {
  SEGMENTS(
      eachCounter(TierCounter.Unit.EVENTS, "SegmentsSent"),
      "Segments of map outputs sent to their last byte, and their bytes."),
  BYTES(
      eachCounter(TierCounter.Unit.BYTES, "BytesSent"),
      "Segments of map outputs sent to their last byte, and their bytes."),
  LATENCY_P50(
      eachGauge(TierCounter.Unit.MICROSECONDS, "ReadLatencyP50Micros"),
      "Percentiles of a read's time (at most 1 MiB) in the last ten seconds, with its time in the"
          + " queue."),
  LATENCY_P99(
      eachGauge(TierCounter.Unit.MICROSECONDS, "ReadLatencyP99Micros"),
      "Percentiles of a read's time (at most 1 MiB) in the last ten seconds, with its time in the"
          + " queue."),
  LATENCY_P999(
      eachGauge(TierCounter.Unit.MICROSECONDS, "ReadLatencyP999Micros"),
      "Percentiles of a read's time (at most 1 MiB) in the last ten seconds, with its time in the"
          + " queue."),
  STALLS(eachCounter(TierCounter.Unit.EVENTS, "ReadStalls"), "Reads that took 500 ms or more."),
  QUEUE_DEPTH(
      eachGauge(TierCounter.Unit.EVENTS, "QueueDepth"),
      "Reads and look-ups that wait in the devices' queues."),
  ACTIVE(
      nodeGauge(TierCounter.Unit.FLAG, "Active"),
      "1 when each device serves map outputs by its own queue, 0 when they are served stock"
          + " Hadoop's way; the log says why."),
  MEMORY_BYTES(
      nodeGauge(TierCounter.Unit.BYTES, "MemoryBytes"),
      "Bytes in use of `temptier.shuffle.memory`."),
  MEMORY_WAITS(
      nodeCounter(TierCounter.Unit.EVENTS, "MemoryWaits"),
      "Times a read waited for memory: raise `temptier.shuffle.memory` when this grows."),
  CACHED_OUTPUTS(
      nodeGauge(TierCounter.Unit.FILES, "CachedOutputs"),
      "Map outputs whose place and index are in memory."),
  CACHE_HITS(
      nodeCounter(TierCounter.Unit.EVENTS, "CacheHits"),
      "Look-ups of map outputs answered from memory, and those that asked the disks."),
  CACHE_MISSES(
      nodeCounter(TierCounter.Unit.EVENTS, "CacheMisses"),
      "Look-ups of map outputs answered from memory, and those that asked the disks.");

  private final Definition definition;
  private final String doc;

  ShuffleCounter(Definition definition, String doc) {
    this.definition = definition;
    this.doc = doc;
  }

  @Override
  public Definition definition() {
    return definition;
  }

  @Override
  public String doc() {
    return doc;
  }

  /** The numbers of one scope, in the order to show them. */
  public static List<ShuffleCounter> of(TierCounter.Scope scope) {
    return Arrays.stream(values())
        .filter(counter -> counter.scope() == scope)
        .collect(Immutable.toList());
  }
}
