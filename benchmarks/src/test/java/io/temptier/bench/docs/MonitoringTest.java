// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.fixtures.Needs.NeedsPromtool;
import io.temptier.hadoop.metrics.Metric;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.lab.process.Shell;
import io.temptier.shuffle.ShuffleCounter;
import io.temptier.shuffle.demotion.DemotionCounter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The dashboard, the alerts and their page name what Hadoop's Prometheus endpoint shows. */
final class MonitoringTest {
  private static final Path TEMPLATES = Path.of("..", "conf-templates");
  private static final Path DASHBOARD = TEMPLATES.resolve("grafana-dashboard.json");
  private static final Path PAGE = Path.of("..", "docs", "monitoring.md");
  private static final Path RULES = TEMPLATES.resolve("prometheus-rules.yml");
  private static final Pattern NAME = Pattern.compile("\\btemp_tier_\\w*[a-z0-9]\\b");
  private static final Pattern ALERT = Pattern.compile("(?m)^\\s*- alert: (\\w+)$");
  private static final Pattern SECTION = Pattern.compile("(?m)^### (TempTier\\w+)$");
  private static final Pattern TESTED = Pattern.compile("(?m)^\\s*alertname: (\\w+)$");

  /** All names, each of one record only: records of one name must not overwrite each other. */
  private static Set<String> names() {
    Set<String> names = new TreeSet<>();
    add(names, "", TierCounter.of(TierCounter.Scope.TIER));
    add(names, "", TierCounter.of(TierCounter.Scope.NODE));
    add(names, "", Arrays.asList(DemotionCounter.values()));
    add(names, "Shuffle", ShuffleCounter.of(TierCounter.Scope.TIER));
    add(names, "Shuffle", ShuffleCounter.of(TierCounter.Scope.NODE));
    names.add("temp_tier_build_info");
    return names;
  }

  private static void add(Set<String> names, String part, List<? extends Metric> metrics) {
    PrometheusMetricsSink sink = new PrometheusMetricsSink();
    for (Metric metric : metrics) {
      String name = sink.prometheusName("TempTier" + part, metric.attribute());
      assertTrue(names.add(name), name + " is shown by two sources");
    }
  }

  private static Set<String> found(Pattern pattern, String text, int group) {
    return pattern
        .matcher(text)
        .results()
        .map(match -> match.group(group))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "conf-templates/prometheus-rules.yml",
        "conf-templates/prometheus-rules-test.yml",
        "conf-templates/grafana-dashboard.json",
        "docs/monitoring.md"
      })
  void everyMetricThatIsNamedIsThere(String file) throws IOException {
    Set<String> named = found(NAME, Files.readString(Path.of("..", file)), 0);
    assertFalse(named.isEmpty(), file);
    named.removeAll(names());
    assertEquals(Set.of(), named, file);
  }

  @Test
  void everyAlertHasAPageAndATest() throws IOException {
    Set<String> alerts = found(ALERT, Files.readString(RULES), 1);
    assertTrue(alerts.size() > 5, alerts.toString());
    assertEquals(alerts, found(SECTION, Files.readString(PAGE), 1));
    String tests = Files.readString(TEMPLATES.resolve("prometheus-rules-test.yml"));
    assertEquals(alerts, found(TESTED, tests, 1));
    for (String alert : alerts) {
      String link = "docs/monitoring.md#" + PagesTest.anchor(alert);
      assertTrue(Files.readString(RULES).contains("runbook: " + link + "\n"), link);
    }
  }

  @Test
  void theDashboardIsWhole() throws IOException {
    JsonNode dashboard = new ObjectMapper().readTree(DASHBOARD.toFile());
    Set<Integer> ids = new HashSet<>();
    for (JsonNode panel : dashboard.path("panels")) {
      String title = panel.path("title").asText();
      assertTrue(ids.add(panel.path("id").asInt()), title);
      assertFalse(panel.path("targets").isEmpty(), title);
      for (JsonNode target : panel.path("targets")) {
        String query = target.path("expr").asText();
        assertTrue(NAME.matcher(query).find(), title + ": " + query);
        assertTrue(query.contains("instance=~\"$instance\""), title + ": " + query);
      }
    }
    assertTrue(ids.size() > 10, ids.toString());
  }

  /** A new reason of a refusal must not be forgotten there. */
  @Test
  void theDashboardShowsAllRefusals() throws IOException {
    PrometheusMetricsSink sink = new PrometheusMetricsSink();
    Set<String> wanted = new TreeSet<>();
    for (TierCounter counter : TierCounter.of(TierCounter.Scope.TIER)) {
      if (counter.attribute().startsWith("FilesRefused")) {
        wanted.add(sink.prometheusName("TempTier", counter.attribute()));
      }
    }
    wanted.removeAll(found(NAME, Files.readString(DASHBOARD), 0));
    assertEquals(Set.of(), wanted, "missing in " + DASHBOARD);
  }

  /** A rule for each query, which promtool reads, with what Grafana puts in. */
  @Test
  @NeedsPromtool
  void promtoolUnderstandsTheDashboardsQueries(@TempDir Path temp) throws Exception {
    StringBuilder rules = new StringBuilder("groups:\n  - name: dashboard\n    rules:\n");
    JsonNode dashboard = new ObjectMapper().readTree(DASHBOARD.toFile());
    for (JsonNode panel : dashboard.path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        String query =
            target.path("expr").asText().replaceAll("\\$__\\w+", "5m").replaceAll("\\$\\w+", ".*");
        rules.append("      - record: panel_").append(panel.path("id").asInt());
        rules.append("_").append(target.path("refId").asText());
        rules.append("\n        expr: '").append(query).append("'\n");
      }
    }
    Path file = Files.writeString(temp.resolve("dashboard.yml"), rules);
    promtool("check", "rules", file.toAbsolutePath().toString());
  }

  @Test
  @NeedsPromtool
  void promtoolFindsTheAlertsRight() throws IOException, InterruptedException {
    promtool("check", "rules", "prometheus-rules.yml");
    promtool("test", "rules", "prometheus-rules-test.yml");
    promtool("check", "config", "--syntax-only", "prometheus-scrape.yml");
  }

  private static void promtool(String... args) throws IOException, InterruptedException {
    Process promtool =
        new ProcessBuilder(Shell.line("promtool", args))
            .directory(TEMPLATES.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, promtool.waitFor(), said);
  }
}
