// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.hadoop.metrics.Metric;
import io.temptier.hadoop.metrics.MetricSources;
import io.temptier.shuffle.demotion.Demoter;
import io.temptier.shuffle.demotion.DemotionCounter;
import io.temptier.shuffle.lane.DeviceLane;
import io.temptier.shuffle.lane.MediumStats;
import io.temptier.shuffle.output.HandlerContext;
import io.temptier.tier.Medium;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Json;
import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of TempTier's shuffle handler through Metrics2, and so in JMX, and as JSON there: a
 * source {@code TempTierShuffle} for the node, one {@code TempTierShuffle-<MEDIUM>} for each
 * medium, and one for demotion. Does no I/O. Safe for use by many threads.
 */
final class ShuffleReport implements TempTierShuffleInfoMXBean, AutoCloseable {
  /** Name of the node's source; those of the media begin with it and a dash. */
  private static final String SOURCE = "TempTierShuffle";

  /** Prefix of its numbers in Prometheus; those of demotion say it in their own names. */
  private static final String PART = "Shuffle";

  private static final String CONTEXT = "mapred";

  private final HandlerContext handler;
  private final Demoter demoter;
  private final MetricSources sources;

  /** Shows everything from now on. */
  ShuffleReport(HandlerContext handler, Demoter demoter, MetricsSystem system) {
    this.handler = handler;
    this.demoter = demoter;
    this.sources = new MetricSources(system);
    sources.register(
        SOURCE,
        "TempTier's shuffle on this node",
        (collector, all) -> add(MetricSources.record(collector, CONTEXT, PART), ofNode()));
    for (Medium medium : handler.lanes().media()) {
      sources.register(
          SOURCE + "-" + medium,
          "TempTier's shuffle from " + medium,
          (collector, all) ->
              add(MetricSources.record(collector, CONTEXT, PART, medium), of(medium)));
    }
    sources.register(
        "TempTierDemotion",
        "TempTier's demotion on this node",
        (collector, all) -> add(MetricSources.record(collector, CONTEXT, ""), ofDemotion()));
    sources.register("TempTierShuffleInfo", this);
  }

  private static void add(MetricsRecordBuilder record, Map<? extends Metric, Long> values) {
    values.forEach((counter, value) -> MetricSources.add(record, counter, value));
  }

  private Map<ShuffleCounter, Long> ofNode() {
    Map<ShuffleCounter, Long> values = new EnumMap<>(ShuffleCounter.class);
    values.put(ShuffleCounter.ACTIVE, handler.stockServes().get() ? 0L : 1L);
    values.put(ShuffleCounter.MEMORY_BYTES, handler.segmentBytes());
    values.put(
        ShuffleCounter.MEMORY_WAITS, handler.fastMemory().waits() + handler.slowMemory().waits());
    return values;
  }

  private Map<ShuffleCounter, Long> of(Medium medium) {
    MediumStats stats = handler.lanes().stats(medium);
    Map<ShuffleCounter, Long> values = new EnumMap<>(ShuffleCounter.class);
    values.put(ShuffleCounter.SEGMENTS_SENT, stats.segments());
    values.put(ShuffleCounter.BYTES_SENT, stats.bytes());
    values.put(ShuffleCounter.READ_LATENCY_P50_MICROS, stats.latencyMicros(MediumStats.P50));
    values.put(ShuffleCounter.READ_LATENCY_P99_MICROS, stats.latencyMicros(MediumStats.P99));
    values.put(ShuffleCounter.READ_LATENCY_P999_MICROS, stats.latencyMicros(MediumStats.P999));
    values.put(ShuffleCounter.READ_STALLS, stats.stalls());
    values.put(
        ShuffleCounter.QUEUE_DEPTH,
        handler.lanes().all().stream()
            .filter(lane -> lane.medium() == medium)
            .mapToLong(DeviceLane::waiting)
            .sum());
    return values;
  }

  private Map<DemotionCounter, Long> ofDemotion() {
    Map<DemotionCounter, Long> values = new EnumMap<>(DemotionCounter.class);
    for (DemotionCounter counter : DemotionCounter.values()) {
      values.put(counter, demoter.get(counter));
    }
    return values;
  }

  private static Map<String, Object> members(
      String name, @Nullable Object value, Map<? extends Metric, Long> numbers) {
    Map<String, Object> members = Json.object(name, value);
    numbers.forEach((counter, number) -> members.put(counter.attribute(), number));
    return members;
  }

  @Override
  public String getMedia() {
    return Json.of(
        handler.lanes().media().stream()
            .map(medium -> members("medium", medium, of(medium)))
            .collect(Immutable.toList()));
  }

  @Override
  public String getLanes() {
    return Json.of(
        handler.lanes().all().stream()
            .map(
                lane ->
                    Json.object(
                        "device", lane.name(),
                        "medium", lane.medium(),
                        "depth", lane.depth(),
                        "running", lane.running(),
                        "waiting", lane.waiting()))
            .collect(Immutable.toList()));
  }

  @Override
  public String getDemotion() {
    return Json.of(members("off", demoter.offReason().orElse(null), ofDemotion()));
  }

  @Override
  public void close() {
    sources.close();
  }
}
