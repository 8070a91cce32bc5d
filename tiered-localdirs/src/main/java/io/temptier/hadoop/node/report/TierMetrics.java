// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.report;

import io.temptier.hadoop.metrics.MetricSources;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.hadoop.node.history.NodeHistory;
import io.temptier.tier.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.util.MBeans;

/**
 * Shows a {@link NodeReport} through Metrics2, and so in JMX: a source {@code TempTier} for the
 * node and one {@code TempTier-<MEDIUM>} for each tier, apart so that attribute names are the same
 * for all tiers. Also registers the report itself as {@code TempTierInfo}.
 */
public final class TierMetrics implements AutoCloseable {
  private static final String SOURCE = "TempTier";
  private static final String SERVICE = "NodeManager";
  private static final MetricsInfo MODE = Interns.info("Mode", "ACTIVE or STOCK");
  private static final MetricsInfo MODE_CAUSE =
      Interns.info("ModeCause", "Why that mode, in one word; TempTierInfo has the sentences");
  private static final MetricsInfo BUILD = Interns.info("Info", "Always 1; its tags tell");
  private static final MetricsInfo VERSION = Interns.info("Version", "TempTier's version");
  private static final MetricsInfo FINGERPRINT =
      Interns.info("Fingerprint", "Of the configuration, as TempTierInfo has it");

  private final MetricSources sources;
  private final List<ObjectName> beans = new ArrayList<>();

  /** Registers everything a report has to say, and the history, if there is one. */
  public TierMetrics(MetricsSystem system, NodeReport report, Optional<NodeHistory> history) {
    this.sources = new MetricSources(system);
    sources.register(SOURCE, "TempTier on this node", (collector, all) -> node(report, collector));
    sources.register(
        SOURCE + "-Build", "What is installed", (collector, all) -> build(report, collector));
    for (Tier tier : report.tiers()) {
      sources.register(
          SOURCE + "-" + tier.medium(),
          "TempTier's tier " + tier.medium(),
          (collector, all) -> tier(report, tier, collector));
    }
    register("TempTierInfo", report);
    history.ifPresent(applications -> register("TempTierHistory", applications));
  }

  private void register(String name, Object bean) {
    ObjectName registered = MBeans.register(SERVICE, name, bean);
    if (registered != null) {
      beans.add(registered);
    }
  }

  @Override
  public void close() {
    sources.close();
    beans.forEach(MBeans::unregister);
    beans.clear();
  }

  private static void node(NodeReport report, MetricsCollector collector) {
    MetricsRecordBuilder record = MetricSources.record(collector, "yarn", "");
    MetricSources.tag(record, MODE, report.getMode());
    MetricSources.tag(record, MODE_CAUSE, report.getModeCause());
    for (TierCounter counter : TierCounter.of(TierCounter.Scope.NODE)) {
      MetricSources.add(record, counter, report.value(counter));
    }
  }

  private static void build(NodeReport report, MetricsCollector collector) {
    MetricsRecordBuilder record = MetricSources.record(collector, "yarn", "Build");
    MetricSources.tag(record, VERSION, report.getVersion());
    MetricSources.tag(record, FINGERPRINT, report.getFingerprint());
    record.addGauge(BUILD, 1);
  }

  private static void tier(NodeReport report, Tier tier, MetricsCollector collector) {
    MetricsRecordBuilder record = MetricSources.record(collector, "yarn", "", tier.medium());
    report.values(tier).forEach((counter, value) -> MetricSources.add(record, counter, value));
  }
}
