// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import io.temptier.hadoop.metrics.MetricSources;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts of one gateway in this process, shown through Metrics2 as {@code
 * TempTierS3A-<HOST>-<PORT>}. Thread safe; kept as long as the process lives.
 */
public final class GatewayCounts implements MetricsSource {
  /** Prefix of the sources' names. */
  public static final String SOURCE = "TempTierS3A";

  private static final Logger LOG = LoggerFactory.getLogger(GatewayCounts.class);
  private static final MetricsInfo ENDPOINT = Interns.info("Endpoint", "The gateway");
  private static final Map<URI, GatewayCounts> ALL = new ConcurrentHashMap<>();

  private final URI endpoint;
  private final Map<GatewayCounter, Long> values = new ConcurrentHashMap<>();

  private GatewayCounts(URI endpoint) {
    this.endpoint = endpoint;
  }

  /** Returns the counts of a gateway, from 0 when it was unknown. */
  public static GatewayCounts of(URI endpoint) {
    return ALL.computeIfAbsent(endpoint, GatewayCounts::registered);
  }

  private static GatewayCounts registered(URI endpoint) {
    GatewayCounts counts = new GatewayCounts(endpoint);
    try {
      DefaultMetricsSystem.instance()
          .register(counts.source(), "TempTier's requests to " + endpoint, counts);
    } catch (RuntimeException e) {
      LOG.warn(
          "Metrics of {} are not shown ({}); nothing else is affected", endpoint, e.toString());
    }
    return counts;
  }

  private String source() {
    // Colons would end an object name, which brackets of IPv6 surround.
    return SOURCE + "-" + endpoint.getAuthority().replaceAll("[^A-Za-z0-9.]+", "-");
  }

  void add(GatewayCounter counter, long number) {
    values.merge(counter, number, Long::sum);
  }

  public long value(GatewayCounter counter) {
    return values.getOrDefault(counter, 0L);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(SOURCE).setContext("s3a");
    MetricSources.tag(record, ENDPOINT, endpoint.toString());
    for (GatewayCounter counter : GatewayCounter.values()) {
      MetricSources.add(record, counter, value(counter));
    }
  }
}
