// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsPromtool;
import io.temptier.fixtures.Needs.NeedsSlowDisk;
import io.temptier.lab.testbed.DiskSpeed;
import io.temptier.lab.testbed.EmulatedDisk;
import io.temptier.lab.testbed.Folders;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A day of an operator, on three real NodeManagers: from the tarball to the way back. It takes
 * minutes and root, so it is run with {@code -Dtemptier.day} only. Each step is a test, so that one
 * that fails does not hide what comes after it.
 */
@NeedsSlowDisk
@EnabledIfSystemProperty(named = "temptier.day", matches = ".*")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class DayTwoIT {
  private static final String[] HOSTS = {"node-0", "node-1", "node-2"};
  private static final String NEXT = "9.9.9";
  private static final String FAST_TIER = "Hadoop:service=NodeManager,name=TempTier-NVME";
  private static final long ROWS = 900_000;
  private static final int MAPS = 18;
  private static final long CAP_BYTES = 24 << 20;

  @RegisterExtension private final ClusterFolder root = new ClusterFolder("day");
  private final PseudoCluster cluster;
  private final RolloutSite site;
  private final BackgroundSort.Input input;
  private final String tarball = RolloutSite.tarball().toString();
  // A disk each, so that it can be pulled; what is named "fast" lies where the build does.
  private final LoopDisk first;
  private final LoopDisk second;
  private final LoopDisk third;
  private int jobs;

  DayTwoIT() throws IOException, InterruptedException {
    first = nvmeDisk("nvme0");
    second = nvmeDisk("nvme1");
    third = nvmeDisk("nvme2");
    cluster =
        PseudoCluster.start(
            new ClusterSpec(HadoopRuntime.locate().stock(), root.cluster())
                .nodes(HOSTS.length)
                .nodeMemoryMiB(1280)
                .shortTasks()
                .core("hadoop.prometheus.endpoint.enabled", "true"));
    site = new RolloutSite(cluster, root.path());
    input = BackgroundSort.Input.generate(cluster, ROWS, MAPS);
  }

  @AfterAll
  void stop() throws IOException {
    site.close();
    cluster.close();
    first.close();
    second.close();
    third.close();
    root.delete();
  }

  @Test
  @Order(1)
  void installByTheScript() throws Exception {
    assertRollout(0, "--only-copy", "--tarball", tarball);
    configureAll(first);
    assertRollout(0, "--tarball", tarball);
    assertFine();
    job().unharmedThroughRestarts();
  }

  /** By hand; it is found by the cluster view, and refused by the script. */
  @Test
  @Order(2)
  void oneNodeIsMisconfigured() throws Exception {
    configure(1, fast("[FLOPPY]"));
    cluster.restartNode(1);
    JsonNode worst = status().path("nodes").path(0);
    assertEquals(authority(1), worst.path("host").asText(), worst.toString());
    assertEquals("STOCK", worst.path("mode").asText(), worst.toString());
    String said = assertRollout(1);
    assertTrue(said.contains("stopped at node-1. Done: node-0. Not touched: node-2."), said);
    assertTrue(said.contains("FLOPPY"), "the doctor's words: " + said);
    configure(1, fast("[NVME]"));
    assertRollout(0);
    assertFine();
  }

  /** On one node first; plan's word is held against what the nodes used. */
  @Test
  @Order(3)
  void aSmallerCapIsRolledOutAndPlanAgrees() throws Exception {
    String tag = "[NVME:" + (CAP_BYTES >> 20) + "m]";
    ClusterSpec.Dir capped = fast(tag);
    configure(1, capped);
    BackgroundSort running = job();
    running.await("a task", () -> !cluster.containers().isEmpty());
    // Dirs have paths of their own on each node here, so that no two nodes are configured alike.
    Map<String, String> before = configurations();
    assertRollout(0, "node-1");
    Map<String, String> one = configurations();
    assertNotEquals(before.put(authority(1), ""), one.put(authority(1), ""));
    assertEquals(before, one, "others were changed");
    // A dir that left the list would take along what the job has there.
    configure(0, nvme(tag, first));
    configure(2, capped);
    assertRollout(0);
    running.unharmedThroughRestarts();
    Map<String, String> all = configurations();
    assertTrue(
        all.entrySet().stream().noneMatch(node -> node.getValue().equals(one.get(node.getKey()))),
        () -> "not changed: " + one + ", " + all);
    JobResult spilling = job().unharmedThroughRestarts();
    assertTrue(spilling.placed("DISK_BYTES") > 0, "it fits: " + spilling.placed());
    Operator.predicts(
        cluster,
        Files.createDirectory(root.path().resolve("day")),
        spilling,
        CAP_BYTES,
        Map.of(),
        3);
  }

  @Test
  @Order(4)
  @NeedsPromtool
  void oneDiskIsSlowAndAlerted() throws Exception {
    try (EmulatedDisk disk = EmulatedDisk.create(root.path().resolve("disks"), "worn", 400 << 20);
        AlertWatch alerts =
            AlertWatch.of(cluster, Files.createDirectory(root.path().resolve("prom")))) {
      configure(2, new ClusterSpec.Dir("[NVME]", disk.mount().resolve("yarn")));
      assertRollout(0, "node-2");
      disk.limit(new DiskSpeed(1, 15));
      List<BackgroundSort> load = new ArrayList<>();
      Eventually.holds(
          "Prometheus fires for the slow disk",
          () -> {
            keepBusy(load);
            return alerts.firing(cluster, 2).stream().anyMatch(DayTwoIT::ofSlowDisk);
          });
      List<String> sound = new ArrayList<>(alerts.firing(cluster, 1));
      // By its small cap it may.
      sound.remove("TempTierSpillsMuch");
      // All of its dirs lie on one disk.
      sound.remove("TempTierConfigWarnings");
      assertEquals(List.of(), sound, "a sound node has no other alert");
      // While its disk has something to do: one that has not is sound again.
      Eventually.holds(
          "status names it first",
          () -> {
            keepBusy(load);
            return authority(2).equals(status().path("nodes").path(0).path("host").asText());
          });
      disk.lift();
      for (BackgroundSort sort : load) {
        sort.unharmedThroughRestarts();
      }
      configure(2, fast("[NVME]"));
      assertRollout(0, "node-2");
    }
  }

  private void keepBusy(List<BackgroundSort> load) throws Exception {
    Thread.sleep(500);
    if (load.isEmpty() || load.get(load.size() - 1).isDone()) {
      load.add(job());
    }
  }

  /** One that has much to do takes longer than the ten seconds after which it counts as hung. */
  private static boolean ofSlowDisk(String alert) {
    return alert.equals("TempTierDirSlow") || alert.equals("TempTierDirHung");
  }

  /** The drain is remembered over a restart. */
  @Test
  @Order(5)
  void anNvmeIsDrainedUnderLoadAndPulled() throws Exception {
    ClusterSpec.Dir old = nvme("[NVME]", first);
    ClusterSpec.Dir other = nvme("[NVME]", second);
    configure(0, old, other);
    assertRollout(0, "node-0");
    BackgroundSort running = job();
    running.await("a file there", () -> holdsOutput(old.path()));
    Operator.text("drain", old.path().toString(), "--jmx", cluster.nodeUrl(0));
    cluster.restartNode(0);
    Eventually.holds("the node remembers it", () -> number(0, "DirsDraining") == 1);
    running.unharmedThroughRestarts();
    Eventually.holds(
        "it is safe to pull",
        () -> safe(Operator.text("drain", old.path().toString(), "--jmx", cluster.nodeUrl(0))));
    configure(0, other);
    assertRollout(0, "node-0");
    first.unmount();
    assertFine();
  }

  /** Some virtual machines hide their first process from root, and nothing else. */
  private static boolean safe(String drain) {
    return drain.contains("Safe to pull:")
        || (drain.contains("is being drained:")
            && !drain.contains("APPLICATION")
            && !drain.contains("PROCESS")
            && drain.lines().filter(line -> line.contains("/proc/")).count() == 1
            && drain.contains("/proc/1\n"));
  }

  @Test
  @Order(6)
  void anNvmeIsAddedUnderLoad() throws Exception {
    ClusterSpec.Dir added = nvme("[NVME]", third);
    BackgroundSort running = job();
    running.await("a task", () -> !cluster.containers().isEmpty());
    configure(0, nvme("[NVME]", second), added);
    assertRollout(0, "node-0");
    running.unharmedThroughRestarts();
    BackgroundSort next = job();
    next.await("a file on the new disk", () -> holdsOutput(added.path()));
    next.unharmedThroughRestarts();
    assertFine();
  }

  /** Whatever became of the steps before. */
  @Test
  @Order(7)
  void anUpgradeAndARollbackUnderLoad() throws Exception {
    configureAll(third);
    assertRollout(0, "--tarball", tarball);
    assertFine();
    String next = site.tarballOf(NEXT).toString();
    BackgroundSort running = job();
    running.await("a task", () -> !cluster.containers().isEmpty());
    assertRollout(0, "--tarball", next);
    running.unharmedThroughRestarts();
    for (int node = 0; node < HOSTS.length; node++) {
      assertEquals("temptier-" + NEXT, site.release(node));
    }
    assertFine();
    BackgroundSort back = job();
    back.await("a task", () -> !cluster.containers().isEmpty());
    assertRollout(0, "--rollback");
    back.unharmedThroughRestarts();
    for (int node = 0; node < HOSTS.length; node++) {
      assertFalse(site.release(node).contains(NEXT), site.release(node));
    }
    assertFine();
  }

  private BackgroundSort job() {
    return input.sortThroughRestarts("/out-" + jobs++);
  }

  /** Over all hosts, where none is named. */
  private String assertRollout(int code, String... options)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(options));
    if (Stream.of(options).noneMatch(option -> option.startsWith("node-"))) {
      line.addAll(List.of(HOSTS));
    }
    RolloutSite.Outcome outcome = site.rollout(line.toArray(String[]::new));
    assertEquals(code, outcome.code(), outcome.text());
    return outcome.text();
  }

  private JsonNode status() throws IOException {
    return Operator.json("status", "--rm", cluster.resourceManagerUrl(), "--timeout", "60s");
  }

  private void assertFine() throws IOException {
    JsonNode status = status();
    assertEquals(HOSTS.length, status.path("nodes").size(), status.toString());
    for (JsonNode node : status.path("nodes")) {
      assertEquals("ACTIVE", node.path("mode").asText(), status.toString());
    }
  }

  /** The fingerprint of each node's configuration, as the cluster view tells it. */
  private Map<String, String> configurations() throws IOException {
    Map<String, String> configurations = new TreeMap<>();
    for (JsonNode node : status().path("nodes")) {
      configurations.put(node.path("host").asText(), node.path("fingerprint").asText());
    }
    assertEquals(HOSTS.length, configurations.size());
    return configurations;
  }

  /** As the ResourceManager calls it. */
  private String authority(int node) {
    return "localhost:" + URI.create(cluster.nodeUrl(node)).getPort();
  }

  private long number(int node, String attribute) throws IOException {
    return cluster.nodeBeans(node, FAST_TIER).path(0).path(attribute).asLong(-1);
  }

  private static boolean holdsOutput(Path dir) {
    return !Folders.find(dir, file -> file.endsWith("file.out")).isEmpty();
  }

  private static ClusterSpec.Dir fast(String tag) {
    return new ClusterSpec.Dir(tag, Path.of("fast"));
  }

  private LoopDisk nvmeDisk(String name) throws IOException {
    return LoopDisk.create(
        Files.createDirectories(root.path().resolve("disks/" + name)), 160 << 20);
  }

  private static ClusterSpec.Dir nvme(String tag, LoopDisk disk) {
    return new ClusterSpec.Dir(tag, disk.path().resolve("yarn"));
  }

  /** Each node with one fast dir, the first with a disk of its own. */
  private void configureAll(LoopDisk disk) throws IOException {
    configure(0, nvme("[NVME]", disk));
    configure(1, fast("[NVME]"));
    configure(2, fast("[NVME]"));
  }

  private void configure(int node, ClusterSpec.Dir... fast) throws IOException {
    site.configure(node, RolloutSite.spec(cluster, node, fast));
  }

  /**
   * A real Prometheus that scrapes a cluster's NodeManagers and evaluates the alert rules as
   * shipped, but for how long they wait.
   */
  private static final class AlertWatch implements AutoCloseable {
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
}
