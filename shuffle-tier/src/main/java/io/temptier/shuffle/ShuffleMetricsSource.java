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

import io.temptier.hadoop.TierCounter;
import io.temptier.tier.Medium;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows what is served through Metrics2, and so in JMX: a source {@code TempTierShuffle} for the
 * node and one {@code TempTierShuffle-<MEDIUM>} for each medium.
 */
final class ShuffleMetricsSource implements AutoCloseable {
  /** Name of the node's source; those of the media begin with it and a dash. */
  static final String SOURCE = "TempTierShuffle";

  private static final Logger LOG = LoggerFactory.getLogger(ShuffleMetricsSource.class);
  private static final MetricsInfo MEDIUM = Interns.info("Medium", "The medium served from");

  private final MetricsSystem system;
  private final List<String> sources = new ArrayList<>();

  /** Registers the numbers of a handler. */
  ShuffleMetricsSource(MetricsSystem system, Serving serving, Lanes lanes) {
    this.system = system;
    register(
        SOURCE, "TempTier's shuffle on this node", (collector, all) -> node(collector, serving));
    for (Medium medium : serving.stats().keySet()) {
      register(
          SOURCE + "-" + medium,
          "TempTier's shuffle from " + medium,
          (collector, all) -> medium(collector, serving, lanes, medium));
    }
  }

  private void register(String name, String description, MetricsSource source) {
    try {
      // A NodeManager's services can be started anew in one JVM.
      system.unregisterSource(name);
      system.register(name, description, source);
      sources.add(name);
    } catch (RuntimeException e) {
      LOG.warn("Metrics {} are not shown ({}); serving is not affected", name, e.toString());
    }
  }

  private static void node(MetricsCollector collector, Serving serving) {
    MetricsRecordBuilder record = collector.addRecord(SOURCE).setContext("mapred");
    for (ShuffleCounter counter : ShuffleCounter.of(TierCounter.Scope.NODE)) {
      add(record, counter, nodeValue(counter, serving));
    }
  }

  private static void medium(
      MetricsCollector collector, Serving serving, Lanes lanes, Medium medium) {
    MetricsRecordBuilder record = collector.addRecord(SOURCE + "Medium").setContext("mapred");
    record.tag(MEDIUM, medium.toString());
    MediumStats stats = Objects.requireNonNull(serving.stats().get(medium));
    for (ShuffleCounter counter : ShuffleCounter.of(TierCounter.Scope.TIER)) {
      add(record, counter, mediumValue(counter, stats, lanes, medium));
    }
  }

  private static void add(MetricsRecordBuilder record, ShuffleCounter counter, long value) {
    MetricsInfo info = Interns.info(counter.attribute(), counter.doc());
    if (counter.type() == TierCounter.Type.COUNTER) {
      record.addCounter(info, value);
    } else {
      record.addGauge(info, value);
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
    sources.forEach(system::unregisterSource);
    sources.clear();
  }
}
