/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.shuffle;

import io.temptier.hadoop.MetricSources;
import io.temptier.hadoop.TierCounter;
import io.temptier.shuffle.demotion.Demoter;
import io.temptier.shuffle.demotion.DemotionCounter;
import io.temptier.tier.Medium;
import java.util.Objects;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.util.MBeans;
import org.jspecify.annotations.Nullable;

/**
 * Shows what is served through Metrics2, and so in JMX: a source {@code TempTierShuffle} for the
 * node and one {@code TempTierShuffle-<MEDIUM>} for each medium.
 */
final class ShuffleMetrics implements AutoCloseable {
  /** Name of the node's source; those of the media begin with it and a dash. */
  static final String SOURCE = "TempTierShuffle";

  /** Name of demotion's source. */
  static final String DEMOTION = "TempTierDemotion";

  /** Name of the bean with texts. */
  static final String INFO = "TempTierShuffleInfo";

  private static final MetricsInfo MEDIUM = Interns.info("Medium", "The medium served from");

  private final MetricSources sources;
  private final @Nullable ObjectName info;

  /** Registers the numbers of a handler. */
  ShuffleMetrics(MetricsSystem system, Serving serving, Lanes lanes, Demoter demoter) {
    sources = new MetricSources(system);
    sources.register(
        SOURCE, "TempTier's shuffle on this node", (collector, all) -> node(collector, serving));
    for (Medium medium : serving.stats().keySet()) {
      sources.register(
          SOURCE + "-" + medium,
          "TempTier's shuffle from " + medium,
          (collector, all) -> medium(collector, serving, lanes, medium));
    }
    sources.register(
        DEMOTION,
        "TempTier's demotion on this node",
        (collector, all) -> demotion(collector, demoter));
    info =
        MBeans.register("NodeManager", INFO, new ShuffleReport(lanes, serving.tracker(), demoter));
  }

  private static void node(MetricsCollector collector, Serving serving) {
    MetricsRecordBuilder record = collector.addRecord(SOURCE).setContext("mapred");
    for (ShuffleCounter counter : ShuffleCounter.of(TierCounter.Scope.NODE)) {
      MetricSources.add(record, counter, nodeValue(counter, serving));
    }
  }

  private static void medium(
      MetricsCollector collector, Serving serving, Lanes lanes, Medium medium) {
    MetricsRecordBuilder record = collector.addRecord(SOURCE + "Medium").setContext("mapred");
    record.tag(MEDIUM, medium.toString());
    MediumStats stats = Objects.requireNonNull(serving.stats().get(medium));
    for (ShuffleCounter counter : ShuffleCounter.of(TierCounter.Scope.TIER)) {
      MetricSources.add(record, counter, mediumValue(counter, stats, lanes, medium));
    }
  }

  private static void demotion(MetricsCollector collector, Demoter demoter) {
    MetricsRecordBuilder record = collector.addRecord(DEMOTION).setContext("mapred");
    for (DemotionCounter counter : DemotionCounter.values()) {
      MetricSources.add(record, counter, demoter.get(counter));
    }
  }

  private static long nodeValue(ShuffleCounter counter, Serving serving) {
    return switch (counter) {
      case ACTIVE -> 1;
      case MEMORY_BYTES -> serving.fastMemory().usedBytes() + serving.slowMemory().usedBytes();
      case MEMORY_WAITS -> serving.fastMemory().waits() + serving.slowMemory().waits();
      case CACHED_OUTPUTS -> serving.cache().size();
      case CACHE_HITS -> serving.cache().hits();
      case CACHE_MISSES -> serving.cache().misses();
      case OUTPUTS_FETCHED_FROM -> serving.tracker().fractions().size();
      case OUTPUTS_FETCHED_WHOLLY ->
          serving.tracker().fractions().values().stream().filter(part -> part >= 1).count();
      default -> throw new IllegalArgumentException(counter + " is of a medium");
    };
  }

  private static long mediumValue(
      ShuffleCounter counter, MediumStats stats, Lanes lanes, Medium medium) {
    return switch (counter) {
      case SEGMENTS -> stats.segments();
      case BYTES -> stats.bytes();
      case LATENCY_P50 -> stats.latencyMicros(MediumStats.P50);
      case LATENCY_P99 -> stats.latencyMicros(MediumStats.P99);
      case LATENCY_P999 -> stats.latencyMicros(MediumStats.P999);
      case STALLS -> stats.stalls();
      case QUEUE_DEPTH ->
          lanes.all().stream()
              .filter(lane -> lane.medium() == medium)
              .mapToLong(DeviceLane::waiting)
              .sum();
      default -> throw new IllegalArgumentException(counter + " is of the node");
    };
  }

  @Override
  public void close() {
    sources.close();
    if (info != null) {
      MBeans.unregister(info);
    }
  }
}
