// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import com.google.auto.value.AutoValue;
import io.temptier.hadoop.metrics.MetricSources;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.util.MBeans;

/**
 * Shows a {@link NodeReport} through Metrics2, and so in JMX: a source {@code TempTier} for the
 * node and one {@code TempTier-<MEDIUM>} for each tier, apart so that attribute names are the same
 * for all tiers; {@code TempTier-Drives} has a record for each drive, since drives come and go.
 * Also registers the report itself as {@code TempTierInfo}.
 */
final class TierMetrics implements AutoCloseable {
  /** Name of the node's source; those of the tiers begin with it and a dash. */
  static final String SOURCE = "TempTier";

  /** Name of the bean with texts. */
  static final String INFO = "TempTierInfo";

  /** Name of the bean with what became of applications. */
  static final String HISTORY = "TempTierHistory";

  private static final String SERVICE = "NodeManager";
  private static final MetricsInfo MODE = Interns.info("Mode", "ACTIVE or STOCK");
  private static final MetricsInfo MODE_CAUSE =
      Interns.info("ModeCause", "Why that mode, in one word; TempTierInfo has the sentences");
  private static final MetricsInfo DEVICE = Interns.info("Device", "The drive, as sysfs names it");
  private static final MetricsInfo POLICY = Interns.info("Policy", "The placement policy");

  private final MetricSources sources;
  private final List<ObjectName> beans = new ArrayList<>();

  /**
   * Registers everything a report has to say.
   *
   * @param history what became of applications; empty on stock behaviour
   */
  TierMetrics(MetricsSystem system, NodeReport report, Optional<NodeHistory> history) {
    this.sources = new MetricSources(system);
    sources.register(SOURCE, "TempTier on this node", NodeSource.of(report));
    for (Tier tier : report.tiers()) {
      sources.register(
          SOURCE + "-" + tier.medium(),
          "TempTier's tier " + tier.medium(),
          TierSource.of(report, tier));
    }
    if (!report.tiers().isEmpty()) {
      sources.register(
          SOURCE + "-Drives", "The drives below TempTier's dirs", DriveSource.of(report));
    }
    register(INFO, report);
    history.ifPresent(applications -> register(HISTORY, applications));
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

  @AutoValue
  abstract static class NodeSource implements MetricsSource {
    abstract NodeReport report();

    static NodeSource of(NodeReport report) {
      return new AutoValue_TierMetrics_NodeSource(report);
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
      MetricsRecordBuilder record = MetricSources.record(collector, "yarn");
      MetricSources.tag(record, MODE, report().getMode());
      MetricSources.tag(record, MODE_CAUSE, report().state().cause().name());
      MetricSources.tag(record, POLICY, report().policy());
      for (TierCounter counter : TierCounter.of(TierCounter.Scope.NODE)) {
        MetricSources.add(record, counter, report().value(counter));
      }
    }
  }

  @AutoValue
  abstract static class DriveSource implements MetricsSource {
    abstract NodeReport report();

    static DriveSource of(NodeReport report) {
      return new AutoValue_TierMetrics_DriveSource(report);
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
      for (Drive drive : report().drives()) {
        MetricsRecordBuilder record =
            MetricSources.record(collector, "yarn", "Drive", drive.tier());
        MetricSources.tag(record, DEVICE, drive.name());
        drive.values().forEach((counter, value) -> MetricSources.add(record, counter, value));
      }
    }
  }

  @AutoValue
  abstract static class TierSource implements MetricsSource {
    abstract NodeReport report();

    abstract Tier tier();

    static TierSource of(NodeReport report, Tier tier) {
      return new AutoValue_TierMetrics_TierSource(report, tier);
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
      MetricsRecordBuilder record = MetricSources.record(collector, "yarn", "", tier().medium());
      report()
          .values(tier())
          .forEach((counter, value) -> MetricSources.add(record, counter, value));
    }
  }
}
