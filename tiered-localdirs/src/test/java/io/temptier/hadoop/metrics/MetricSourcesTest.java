// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.PrometheusPage;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.impl.MetricsSystemImpl;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tags through Hadoop's own Prometheus sink. */
class MetricSourcesTest {
  private static String page(String tag) throws IOException {
    MetricsSystem system = new MetricsSystemImpl("test");
    PrometheusMetricsSink sink = new PrometheusMetricsSink();
    system.init("test");
    try (MetricSources sources = new MetricSources(system)) {
      system.register("sink", "the sink", sink);
      sources.register(
          "TempTier",
          "a source",
          (collector, all) -> {
            var record = collector.addRecord("TempTier").setContext("yarn");
            MetricSources.tag(record, Interns.info("Tier", "a tag"), tag);
            MetricSources.add(record, TierCounter.DIRS, 1);
          });
      system.publishMetricsNow();
      StringWriter page = new StringWriter();
      sink.writeMetrics(page);
      return page.toString();
    } finally {
      system.stop();
      system.shutdown();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\"b", "a\\", "a\nb 1", "a\r\n# TYPE x y", "\u2028\u0085\0", "\ud800"})
  void noTagBreaksThePage(String tag) throws IOException {
    String page = page(tag);
    assertEquals(List.of(), PrometheusPage.wrongLines(page));
    assertTrue(page.contains("temp_tier_dirs{"), page);
  }

  @Test
  void harmlessTagsStayAsTheyAreUnlessTheyAreLong() throws IOException {
    String unicode = "http://gateway-1:8000/\u00e9\ud83d\ude00";
    assertTrue(page(unicode).contains("tier=\"" + unicode + "\""), page(unicode));
    assertFalse(page("x".repeat(100_000)).contains("x".repeat(201)));
  }
}
