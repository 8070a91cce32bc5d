// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.fixtures.Eventually;
import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.Shell;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Two releases in one cluster and on one node, in each direction: the jars of this build beside
 * those of the last commit before the published state and traffic named their versions. It builds
 * that commit, so it is run with {@code -Dtemptier.day} only.
 */
@EnabledIfSystemProperty(named = "temptier.day", matches = ".*")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MixedVersionsIT {
  private static final String EARLIER = "6d5dec7816e6ead0076063215ced6923df8a5e0d";
  private static final String INFO = "Hadoop:service=NodeManager,name=TempTierInfo";
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int NODES = 2;
  private static final long ROWS = 600_000;
  private static final int MAPS = 30;

  @RegisterExtension private final ClusterFolder root = new ClusterFolder("mixed-versions");
  private final EarlierRelease release;
  private final Path earlier;
  private final Path later;
  private final PseudoCluster cluster;
  private final BackgroundSort.Input input;

  MixedVersionsIT() throws IOException, InterruptedException {
    HadoopRuntime hadoop = HadoopRuntime.locate();
    try {
      release =
          EarlierRelease.build(hadoop, EARLIER, Files.createDirectory(root.path().resolve("old")));
    } catch (Throwable e) {
      root.delete();
      throw e;
    }
    earlier = release.lib();
    later = Files.createDirectory(root.path().resolve("later"));
    ClusterConf.link(hadoop.dropIns(), later);
    cluster =
        PseudoCluster.start(
            new ClusterSpec(hadoop.stock(), root.cluster())
                .nodes(NODES)
                .nodeMemoryMiB(1280)
                .shortTasks());
    input = BackgroundSort.Input.generate(cluster, ROWS, MAPS);
  }

  @AfterAll
  void stop() throws IOException {
    cluster.close();
    root.delete();
  }

  @Test
  void aRollingUpgradeAndTheWayBackUnderJobs() throws Exception {
    for (int node = 0; node < NODES; node++) {
      install(node, earlier);
      restart(node);
    }
    upgrade(input.sortThroughRestarts("/out-upgrade"), earlier, later);
    upgrade(input.sortThroughRestarts("/out-downgrade"), later, earlier);
  }

  /** Node by node, while the job runs: links first, so that tasks change before NodeManagers do. */
  private void upgrade(BackgroundSort job, Path from, Path to) throws Exception {
    job.await("a task", () -> !cluster.containers().isEmpty());
    for (int node = 0; node < NODES; node++) {
      assertEquals(version(from), version(node), "before");
      install(node, to);
      ProcessHandle nodeManager = cluster.nodeManagers().get(node).handle();
      Set<ProcessHandle> before = nodeManager.descendants().collect(Collectors.toSet());
      // A task of the other release, as the link is followed when a container starts. Where layouts
      // differ it does as stock.
      job.await(
          "a new container", () -> nodeManager.descendants().anyMatch(it -> !before.contains(it)));
      assertEquals(0, number(node, "JournalLinesIgnored"), "lines that were not understood");
      // Its containers go on, and end under a NodeManager of the other release.
      restart(node);
      assertEquals(version(to), version(node), "after");
      int at = node;
      job.await("files placed", () -> placed(at) > 0);
      String url = cluster.resourceManagerUrl();
      assertNodesAreActive(Operator.json("status", "--rm", url, "--timeout", "60s"));
      assertNodesAreActive(release.status(url));
    }
    JobResult result = job.unharmedThroughRestarts();
    assertTrue(result.placed("NVME_FILES") > 0, "nothing was placed");
    for (int node = 0; node < NODES; node++) {
      assertEquals(0, number(node, "JournalLinesIgnored"), "lines that were not understood");
      assertEquals(0, number(node, "StockFallbacks"), "placed by stock");
    }
    String application = result.jobId().replace("job_", "application_");
    Eventually.holds(
        "the history knows the job",
        () ->
            Operator.json("history", "--rm", cluster.resourceManagerUrl())
                .toString()
                .contains(application));
  }

  private static void assertNodesAreActive(JsonNode status) {
    assertEquals(
        Collections.nCopies(NODES, "ACTIVE"),
        status.path("nodes").findValuesAsText("mode"),
        status.toString());
  }

  /** Hadoop's own upgrade: what differs by node is where two links of one configuration lead. */
  @Test
  void hadoopIsUpgradedUnderAJob() throws Exception {
    install(1, later);
    restart(1);
    HadoopRuntime former = HadoopRuntime.ofVersion("3.3.6");
    Path jars = Files.createDirectory(root.path().resolve("hadoop-3.3"));
    ClusterConf.link(former.jars(), jars);
    Path lib = Files.createDirectory(root.path().resolve("lib-hadoop33"));
    ClusterConf.link(former.withDropIns(HadoopRuntime.locate().dropIns()).dropIns(), lib);
    Path hadoop = cluster.nodeConf(0).resolveSibling("hadoop");
    Path latter = Files.readSymbolicLink(hadoop);
    ClusterConf.lead(hadoop, jars);
    install(0, lib);
    restart(0);
    BackgroundSort job = input.sortThroughRestarts("/out-hadoop");
    job.await("files placed", () -> placed(0) > 0 && placed(1) > 0);
    assertServes(0, "3.3.6");
    ClusterConf.lead(hadoop, latter);
    install(0, later);
    restart(0);
    assertServes(0, HadoopRuntime.locate().version());
    JobResult result = job.unharmedThroughRestarts();
    assertTrue(result.placed("NVME_FILES") > 0, "nothing was placed");
  }

  private void assertServes(int node, String version) throws IOException {
    Daemon nodeManager = cluster.nodeManagers().get(node);
    assertTrue(nodeManager.logged("STARTUP_MSG:   version = " + version), version);
    assertTrue(nodeManager.logged("TempTier serves map outputs from"), "stock's handler serves");
  }

  private void install(int node, Path release) throws IOException {
    ClusterConf.lead(cluster.nodeConf(node).resolveSibling("temptier"), release);
  }

  private void restart(int node) throws IOException, InterruptedException {
    ClusterSpec.Dir fast = new ClusterSpec.Dir("[NVME]", Path.of("fast"));
    cluster.restartNode(node, RolloutSite.spec(cluster, node, fast));
    Eventually.holds("TempTier is active", () -> mode(node).equals("ACTIVE"));
  }

  private static String version(Path release) {
    return release.getFileName().toString();
  }

  private String version(int node) throws IOException {
    String version = info(node).path("Version").asText();
    return version(version.equals(EarlierRelease.VERSION) ? earlier : later);
  }

  private String mode(int node) throws IOException {
    return info(node).path("Mode").asText();
  }

  private JsonNode info(int node) throws IOException {
    return cluster.nodeBeans(node, INFO).path(0);
  }

  private long placed(int node) throws IOException {
    long files = 0;
    for (JsonNode tier : MAPPER.readTree(info(node).path("Tiers").asText())) {
      files += tier.path("FilesPlaced").asLong();
    }
    return files;
  }

  private long number(int node, String attribute) throws IOException {
    // Not the bean of Metrics2: Hadoop keeps its numbers for ten seconds.
    JsonNode counted = MAPPER.readTree(info(node).path("Node").asText());
    assertTrue(counted.has(attribute), () -> "no " + attribute + " in " + counted);
    return counted.path(attribute).asLong();
  }

  /** The drop-in jars of a commit and its {@code status}, compiled from this checkout's history. */
  private static final class EarlierRelease {
    static final String VERSION = "0.0.1-earlier";

    /** Its {@code Main} would need all commands, and what they need. */
    private static final String STATUS =
        """
        public class Status {
          public static void main(String[] args) {
            new picocli.CommandLine(new io.temptier.cli.status.StatusCommand()).execute(args);
            System.exit(0);
          }
        }
        """;

    private final HadoopRuntime hadoop;
    private final Path folder;

    private EarlierRelease(HadoopRuntime hadoop, Path folder) {
      this.hadoop = hadoop;
      this.folder = folder;
    }

    /**
     * Makes it, or fails where there is no history, as in a source tarball.
     *
     * @param commit in full
     * @param folder for sources, classes and jars
     */
    static EarlierRelease build(HadoopRuntime hadoop, String commit, Path folder)
        throws IOException {
      Path root = HadoopRuntime.sourceRoot().orElseThrow();
      Path archive = folder.resolve("sources.tar");
      try {
        List<String> sources = List.of("tiered-localdirs/src", "shuffle-tier/src", "cli/src");
        Shell.run(Shell.line("git", "-C", root, "archive", "--output=" + archive, commit, sources));
      } catch (IOException e) {
        throw new IOException("needs the git history with commit " + commit, e);
      }
      Shell.run("tar", "-xf", archive.toString(), "-C", folder.toString());
      EarlierRelease release = new EarlierRelease(hadoop, folder);
      Path tiered = folder.resolve("tiered-classes");
      Path hook = folder.resolve("tiered-localdirs/src/hook");
      // As the build does: compiled against a stub of Hadoop's class, of which no class is made.
      release.compile(
          tiered,
          List.of("-implicit:none", "-Xprefer:source", "-sourcepath", hook.resolve("stub") + ""),
          hook.resolve("java"));
      release.compile(tiered, List.of(), folder.resolve("tiered-localdirs/src/main/java"));
      Path resources = folder.resolve("tiered-localdirs/src/main/resources");
      Shell.run("cp", "-r", resources + "/.", tiered.toString());
      Files.writeString(
          tiered.resolve("io/temptier/tier/version.properties"), "version=" + VERSION + "\n");
      Path lib = Files.createDirectories(folder.resolve("lib"));
      jar(lib.resolve("temptier-tiered-localdirs-" + VERSION + ".jar"), tiered);
      Path shuffle = folder.resolve("shuffle-classes");
      release.compile(
          shuffle, List.of("-sourcepath", ""), folder.resolve("shuffle-tier/src/main/java"));
      jar(lib.resolve("temptier-shuffle-tier-" + VERSION + ".jar"), shuffle);
      Path status = Files.createDirectories(folder.resolve("status"));
      Files.writeString(status.resolve("Status.java"), STATUS);
      release.compile(
          folder.resolve("status-classes"),
          List.of("-sourcepath", folder.resolve("cli/src/main/java").toString()),
          status);
      return release;
    }

    /** The folder of its drop-in jars. */
    Path lib() {
      return folder.resolve("lib");
    }

    /** What its {@code temptier status} says of a cluster. */
    JsonNode status(String resourceManager) throws IOException {
      Path json = folder.resolve("status.json");
      List<String> asked = Shell.line("--rm", resourceManager, "--timeout", "60s", "--json", json);
      Shell.run(Shell.line(JavaCommand.program(), "-cp", classPath(), "Status", asked));
      return new ObjectMapper().readTree(json.toFile());
    }

    private void compile(Path classes, List<String> options, Path sources) throws IOException {
      try (Stream<Path> files = Files.walk(sources)) {
        List<Path> java = files.filter(file -> file.toString().endsWith(".java")).toList();
        List<String> quiet = List.of("-nowarn", "-proc:none");
        run("javac", Shell.line(quiet, "-d", classes, "-cp", classPath(), options, java));
      }
    }

    private String classPath() {
      String ofTests =
          Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
              .filter(entry -> entry.matches(".*/(jspecify|picocli)-.*"))
              .collect(Collectors.joining(File.pathSeparator));
      String own =
          Stream.of("tiered-classes", "shuffle-classes", "status-classes")
              .map(classes -> folder.resolve(classes).toString())
              .collect(Collectors.joining(File.pathSeparator));
      return String.join(File.pathSeparator, own, ofTests, JavaCommand.path(hadoop.jars()));
    }

    private static void jar(Path jar, Path classes) {
      run("jar", List.of("--create", "--file", jar.toString(), "-C", classes.toString(), "."));
    }

    private static void run(String tool, List<String> line) {
      int code =
          ToolProvider.findFirst(tool)
              .orElseThrow()
              .run(System.out, System.err, line.toArray(String[]::new));
      if (code != 0) {
        throw new AssertionError(tool + " ended with " + code);
      }
    }
  }
}
