// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.hadoop.metrics.Metric;
import io.temptier.hadoop.metrics.TierCounter;
import java.util.Arrays;
import java.util.List;

/**
 * Every number the shuffle handler shows, with its meaning; {@code docs/metrics.md} is generated
 * from it.
 */
public enum ShuffleCounter implements Metric {
  /** Segments sent. */
  SEGMENTS(
      TierCounter.Scope.TIER,
      TierCounter.Type.COUNTER,
      TierCounter.Unit.EVENTS,
      "SegmentsSent",
      "Segments of map outputs sent from the medium, each to its last byte."),
  /** Their bytes. */
  BYTES(
      TierCounter.Scope.TIER,
      TierCounter.Type.COUNTER,
      TierCounter.Unit.BYTES,
      "BytesSent",
      "Bytes of the segments of map outputs sent from the medium."),
  /** Median latency. */
  LATENCY_P50(
      TierCounter.Scope.TIER,
      TierCounter.Type.GAUGE,
      TierCounter.Unit.MICROSECONDS,
      "ReadLatencyP50Micros",
      "Median time of a read (of at most 1 MiB) in the last ten seconds, waiting for the"
          + " lane included."),
  /** Latency of the slowest hundredth. */
  LATENCY_P99(
      TierCounter.Scope.TIER,
      TierCounter.Type.GAUGE,
      TierCounter.Unit.MICROSECONDS,
      "ReadLatencyP99Micros",
      "99th percentile of the same time."),
  /** Latency of the slowest thousandth. */
  LATENCY_P999(
      TierCounter.Scope.TIER,
      TierCounter.Type.GAUGE,
      TierCounter.Unit.MICROSECONDS,
      "ReadLatencyP999Micros",
      "99.9th percentile of the same time."),
  /** Stalls. */
  STALLS(
      TierCounter.Scope.TIER,
      TierCounter.Type.COUNTER,
      TierCounter.Unit.EVENTS,
      "ReadStalls",
      "Reads that took 500 ms or more."),
  /** Queue depth. */
  QUEUE_DEPTH(
      TierCounter.Scope.TIER,
      TierCounter.Type.GAUGE,
      TierCounter.Unit.EVENTS,
      "QueueDepth",
      "Reads and look-ups that wait for a free place on the lanes of the medium's devices."),
  /** Whether it serves. */
  ACTIVE(
      TierCounter.Scope.NODE,
      TierCounter.Type.GAUGE,
      TierCounter.Unit.FLAG,
      "Active",
      "1 when map outputs are served over device lanes, 0 when stock Hadoop's way; the log says"
          + " why."),
  /** Memory in use. */
  MEMORY_BYTES(
      TierCounter.Scope.NODE,
      TierCounter.Type.GAUGE,
      TierCounter.Unit.BYTES,
      "MemoryBytes",
      "Memory taken of `temptier.shuffle.memory`."),
  /** Waits for memory. */
  MEMORY_WAITS(
      TierCounter.Scope.NODE,
      TierCounter.Type.COUNTER,
      TierCounter.Unit.EVENTS,
      "MemoryWaits",
      "Times a read waited for some of `temptier.shuffle.memory`: raise it when this grows."),
  /** Outputs in the cache. */
  CACHED_OUTPUTS(
      TierCounter.Scope.NODE,
      TierCounter.Type.GAUGE,
      TierCounter.Unit.FILES,
      "CachedOutputs",
      "Map outputs whose place and index are in memory."),
  /** Hits. */
  CACHE_HITS(
      TierCounter.Scope.NODE,
      TierCounter.Type.COUNTER,
      TierCounter.Unit.EVENTS,
      "CacheHits",
      "Look-ups of map outputs answered from memory."),
  /** Misses. */
  CACHE_MISSES(
      TierCounter.Scope.NODE,
      TierCounter.Type.COUNTER,
      TierCounter.Unit.EVENTS,
      "CacheMisses",
      "Look-ups of map outputs that asked the disks."),
  /** Outputs fetched from. */
  OUTPUTS_FETCHED_FROM(
      TierCounter.Scope.NODE,
      TierCounter.Type.GAUGE,
      TierCounter.Unit.FILES,
      "OutputsFetchedFrom",
      "Map outputs of running applications that were fetched in part since the NodeManager"
          + " started."),
  /** Outputs fetched wholly. */
  OUTPUTS_FETCHED_WHOLLY(
      TierCounter.Scope.NODE,
      TierCounter.Type.GAUGE,
      TierCounter.Unit.FILES,
      "OutputsFetchedWholly",
      "Map outputs of running applications of which every partition was fetched.");

  private final TierCounter.Scope scope;
  private final TierCounter.Type type;
  private final TierCounter.Unit unit;
  private final String attribute;
  private final String doc;

  ShuffleCounter(
      TierCounter.Scope scope,
      TierCounter.Type type,
      TierCounter.Unit unit,
      String attribute,
      String doc) {
    this.scope = scope;
    this.type = type;
    this.unit = unit;
    this.attribute = attribute;
    this.doc = doc;
  }

  /** Whether it is of one medium or of the node. */
  public TierCounter.Scope scope() {
    return scope;
  }

  @Override
  public TierCounter.Type type() {
    return type;
  }

  @Override
  public TierCounter.Unit unit() {
    return unit;
  }

  @Override
  public String attribute() {
    return attribute;
  }

  @Override
  public String doc() {
    return doc;
  }

  /** The numbers of one scope, in the order to show them. */
  public static List<ShuffleCounter> of(TierCounter.Scope scope) {
    return Arrays.stream(values()).filter(counter -> counter.scope == scope).toList();
  }
}
