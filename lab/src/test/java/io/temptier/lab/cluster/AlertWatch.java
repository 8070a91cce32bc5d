// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A real Prometheus that scrapes a cluster's NodeManagers and evaluates the alert rules as shipped,
 * but for how long they wait.
 */
final class AlertWatch implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/bin/prometheus");

  private final Process process;
  private final String url;

  private AlertWatch(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  static AlertWatch of(PseudoCluster cluster, Path folder) throws IOException {
    Path rules = HadoopRuntime.sourceRoot().orElseThrow().resolve("conf-templates");
    Files.writeString(
        folder.resolve("rules.yml"),
        Files.readString(rules.resolve("prometheus-rules.yml"))
            .replaceAll("(?m)^( *for:) .*$", "$1 1s"));
    String targets =
        IntStream.range(0, cluster.spec().nodes())
            .mapToObj(node -> "'" + instance(cluster, node) + "'")
            .collect(Collectors.joining(", ", "[", "]"));
    Path config =
        Files.writeString(
            folder.resolve("prometheus.yml"),
            """
            global:
              scrape_interval: 2s
              evaluation_interval: 2s
            rule_files: [rules.yml]
            scrape_configs:
              - job_name: yarn-nodemanager
                metrics_path: /prom
                static_configs:
                  - targets: %s
            """
                .formatted(targets));
    String address = "127.0.0.1:" + new LoopbackPorts().next();
    Process process =
        new ProcessBuilder(
                PROGRAM.toString(),
                "--config.file=" + config,
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=" + address)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("prometheus.log").toFile())
            .start();
    return new AlertWatch(process, "http://" + address);
  }

  /** What Prometheus calls a node. */
  private static String instance(PseudoCluster cluster, int node) {
    return cluster.nodeUrl(node).replace("http://", "");
  }

  List<String> firing(PseudoCluster cluster, int node) {
    JsonNode alerts;
    try {
      alerts = WebPages.PLAIN.json(url + "/api/v1/alerts").at("/data/alerts");
    } catch (IOException e) {
      // It has only just been started.
      return List.of();
    }
    return IntStream.range(0, alerts.size())
        .mapToObj(alerts::get)
        .filter(alert -> alert.path("state").asText().equals("firing"))
        .filter(alert -> alert.at("/labels/instance").asText().equals(instance(cluster, node)))
        .map(alert -> alert.at("/labels/alertname").asText())
        .toList();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
