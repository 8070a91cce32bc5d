// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.shuffle.demotion.Demoter;
import io.temptier.shuffle.demotion.DemotionCounter;
import io.temptier.shuffle.lane.DeviceLane;
import io.temptier.shuffle.lane.MediumStats;
import io.temptier.shuffle.segment.HandlerContext;
import io.temptier.tier.Medium;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Json;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What TempTier's shuffle handler does, as numbers and as JSON. Does no I/O. Safe for use by many
 * threads.
 */
final class ShuffleReport implements TempTierShuffleInfoMXBean {
  private final HandlerContext handler;
  private final Demoter demoter;

  ShuffleReport(HandlerContext handler, Demoter demoter) {
    this.handler = handler;
    this.demoter = demoter;
  }

  /** The media that are served from, fastest first. */
  Set<Medium> media() {
    return handler.lanes().media();
  }

  /** The numbers of demotion, in the order to show them. */
  Map<DemotionCounter, Long> demotion() {
    Map<DemotionCounter, Long> values = new EnumMap<>(DemotionCounter.class);
    for (DemotionCounter counter : DemotionCounter.values()) {
      values.put(counter, demoter.get(counter));
    }
    return values;
  }

  /** The numbers of the node, in the order to show them. */
  Map<ShuffleCounter, Long> values() {
    Map<ShuffleCounter, Long> values = new EnumMap<>(ShuffleCounter.class);
    values.put(ShuffleCounter.ACTIVE, handler.stockServes().get() ? 0L : 1L);
    values.put(ShuffleCounter.MEMORY_BYTES, handler.segmentBytes());
    values.put(
        ShuffleCounter.MEMORY_WAITS, handler.fastMemory().waits() + handler.slowMemory().waits());
    values.put(ShuffleCounter.CACHED_OUTPUTS, handler.cache().size());
    values.put(ShuffleCounter.CACHE_HITS, handler.cache().hits());
    values.put(ShuffleCounter.CACHE_MISSES, handler.cache().misses());
    return values;
  }

  /** The numbers of a medium, in the order to show them. */
  Map<ShuffleCounter, Long> values(Medium medium) {
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

  @Override
  public String getMedia() {
    return Json.of(media().stream().map(this::medium).collect(Immutable.toList()));
  }

  private Map<String, Object> medium(Medium medium) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("medium", medium);
    values(medium).forEach((counter, value) -> members.put(counter.attribute(), value));
    return members;
  }

  @Override
  public String getLanes() {
    return Json.of(
        handler.lanes().all().stream().map(ShuffleReport::lane).collect(Immutable.toList()));
  }

  private static Map<String, Object> lane(DeviceLane lane) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("device", lane.name());
    members.put("medium", lane.medium());
    members.put("depth", lane.depth());
    members.put("running", lane.running());
    members.put("waiting", lane.waiting());
    return members;
  }

  @Override
  public String getDemotion() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("off", demoter.offReason().orElse(null));
    demotion().forEach((counter, value) -> members.put(counter.attribute(), value));
    return Json.of(members);
  }
}
