// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.hadoop.metrics.MetricSources;
import io.temptier.tier.Medium;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSystem;
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

  /** What its numbers begin with in Prometheus; those of demotion say it in their own names. */
  private static final String PART = "Shuffle";

  private static final String CONTEXT = "mapred";

  private final MetricSources sources;
  private final @Nullable ObjectName info;

  /** Registers the numbers of a handler. */
  ShuffleMetrics(MetricsSystem system, ShuffleReport report) {
    sources = new MetricSources(system);
    sources.register(
        SOURCE, "TempTier's shuffle on this node", (collector, all) -> node(collector, report));
    for (Medium medium : report.media()) {
      sources.register(
          SOURCE + "-" + medium,
          "TempTier's shuffle from " + medium,
          (collector, all) -> medium(collector, report, medium));
    }
    sources.register(
        DEMOTION,
        "TempTier's demotion on this node",
        (collector, all) -> demotion(collector, report));
    info = MBeans.register("NodeManager", INFO, report);
  }

  private static void node(MetricsCollector collector, ShuffleReport report) {
    MetricsRecordBuilder record = MetricSources.record(collector, CONTEXT, PART);
    report.values().forEach((counter, value) -> MetricSources.add(record, counter, value));
  }

  private static void medium(MetricsCollector collector, ShuffleReport report, Medium medium) {
    MetricsRecordBuilder record = MetricSources.record(collector, CONTEXT, PART, medium);
    report.values(medium).forEach((counter, value) -> MetricSources.add(record, counter, value));
  }

  private static void demotion(MetricsCollector collector, ShuffleReport report) {
    MetricsRecordBuilder record = MetricSources.record(collector, CONTEXT, "");
    report.demotion().forEach((counter, value) -> MetricSources.add(record, counter, value));
  }

  @Override
  public void close() {
    sources.close();
    if (info != null) {
      MBeans.unregister(info);
    }
  }
}
