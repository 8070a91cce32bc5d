// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import io.temptier.tier.Medium;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.util.MBeans;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sources of Metrics2, and so of JMX, and beans that come and go together. For one thread. */
public final class MetricSources implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MetricSources.class);

  /** Characters that break labels; also halves of surrogate pairs, which no encoder takes. */
  private static final Pattern HARMFUL = Pattern.compile("[\"\\\\\\p{Cc}\\p{Cs}\\u2028\\u2029]");

  private static final int MAX_TAG_CHARS = 200;

  /**
   * Name of the records of all sources, and so what the names of numbers begin with in Prometheus:
   * {@code temp_tier_files_placed}. Sources have names of their own, which JMX shows.
   */
  private static final String RECORD = "TempTier";

  private static final MetricsInfo TIER = Interns.info("Tier", "The medium of the tier");

  private final MetricsSystem system;
  private final List<String> names = new ArrayList<>();
  private final List<ObjectName> beans = new ArrayList<>();

  public MetricSources(MetricsSystem system) {
    this.system = system;
  }

  /** Registers a source; where that fails, its numbers are not shown and the log says so. */
  public void register(String name, String description, MetricsSource source) {
    try {
      // A NodeManager's services can be started anew in one JVM.
      system.unregisterSource(name);
      system.register(name, description, source);
      names.add(name);
    } catch (RuntimeException e) {
      LOG.warn(
          "Metrics {} are not shown ({}); nothing else is affected. Restart the NodeManager to"
              + " have them.",
          name,
          e.toString());
    }
  }

  /** Registers a bean of the NodeManager; Hadoop logs where that fails. */
  public void register(String name, Object bean) {
    ObjectName registered = MBeans.register("NodeManager", name, bean);
    if (registered != null) {
      beans.add(registered);
    }
  }

  /**
   * Begins a record of the node.
   *
   * @param context of Hadoop's metrics, such as {@code yarn}
   * @param part what the names of its numbers begin with in Prometheus, after {@code temp_tier_};
   *     numbers of all records without a part must differ in their names
   */
  public static MetricsRecordBuilder record(
      MetricsCollector collector, String context, String part) {
    return collector.addRecord(RECORD + part).setContext(context);
  }

  /** Begins a record of one tier, which Prometheus shows as the label {@code tier}. */
  public static MetricsRecordBuilder record(
      MetricsCollector collector, String context, String part, Medium tier) {
    MetricsRecordBuilder record = record(collector, context, part);
    tag(record, TIER, tier.name());
    return record;
  }

  public static void add(MetricsRecordBuilder record, Metric metric, long value) {
    MetricsInfo info = Interns.info(metric.attribute(), metric.definition().doc());
    if (metric.definition().type() == TierCounter.Type.COUNTER) {
      record.addCounter(info, value);
    } else {
      record.addGauge(info, value);
    }
  }

  /**
   * Adds a tag to a record. Hadoop's Prometheus sink writes tags as they are, so that one quote,
   * backslash or line break takes the whole page of the process away from Prometheus: those and
   * other control characters become underscores here, and what is long is cut.
   */
  public static void tag(MetricsRecordBuilder record, MetricsInfo info, String value) {
    String bounded = value.substring(0, Math.min(value.length(), MAX_TAG_CHARS));
    record.tag(info, HARMFUL.matcher(bounded).replaceAll("_"));
  }

  @Override
  public void close() {
    names.forEach(system::unregisterSource);
    names.clear();
    beans.forEach(MBeans::unregister);
    beans.clear();
  }
}
