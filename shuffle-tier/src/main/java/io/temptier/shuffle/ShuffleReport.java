// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.shuffle.demotion.Demoter;
import io.temptier.shuffle.demotion.DemotionCounter;
import io.temptier.shuffle.lane.DeviceLane;
import io.temptier.shuffle.lane.MediumStats;
import io.temptier.shuffle.segment.HandlerContext;
import io.temptier.tier.Medium;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Json;
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

  /** A number of demotion. */
  long value(DemotionCounter counter) {
    return demoter.get(counter);
  }

  /** A number of the node. */
  long value(ShuffleCounter counter) {
    switch (counter) {
      case ACTIVE:
        return handler.stockServes().get() ? 0 : 1;
      case MEMORY_BYTES:
        return handler.segmentBytes();
      case MEMORY_WAITS:
        return handler.fastMemory().waits() + handler.slowMemory().waits();
      case CACHED_OUTPUTS:
        return handler.cache().size();
      case CACHE_HITS:
        return handler.cache().hits();
      case CACHE_MISSES:
        return handler.cache().misses();
      default:
        throw new IllegalArgumentException(counter + " is of a medium");
    }
  }

  /** A number of a medium. */
  long value(ShuffleCounter counter, Medium medium) {
    MediumStats stats = handler.lanes().stats(medium);
    switch (counter) {
      case SEGMENTS:
        return stats.segments();
      case BYTES:
        return stats.bytes();
      case LATENCY_P50:
        return stats.latencyMicros(MediumStats.P50);
      case LATENCY_P99:
        return stats.latencyMicros(MediumStats.P99);
      case LATENCY_P999:
        return stats.latencyMicros(MediumStats.P999);
      case STALLS:
        return stats.stalls();
      case QUEUE_DEPTH:
        return handler.lanes().all().stream()
            .filter(lane -> lane.medium() == medium)
            .mapToLong(DeviceLane::waiting)
            .sum();
      default:
        throw new IllegalArgumentException(counter + " is of the node");
    }
  }

  @Override
  public String getMedia() {
    return Json.of(media().stream().map(this::medium).collect(Immutable.toList()));
  }

  private Map<String, Object> medium(Medium medium) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("medium", medium);
    for (ShuffleCounter counter : ShuffleCounter.of(TierCounter.Scope.TIER)) {
      members.put(counter.attribute(), value(counter, medium));
    }
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
    for (DemotionCounter counter : DemotionCounter.values()) {
      members.put(counter.attribute(), demoter.get(counter));
    }
    return Json.of(members);
  }
}
