// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.fixtures.Needs.NeedsOtherJava;
import io.temptier.fixtures.SelfSigned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes and jobs that do not have the same handler, Java or jars. */
@NeedsOtherJava
final class MixedNodesIT {
  private static final String STOCKS = "Hadoop:service=NodeManager,name=ShuffleMetrics";
  private static final int NODES = 2;
  private static final long ROWS = 400_000;
  private static final int MAPS = 12;

  private static Path home(String of) throws IOException {
    return Files.createTempDirectory(Path.of("target").toAbsolutePath(), of + "-");
  }

  /** A node with TempTier and one of stock Hadoop. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void reducersFetchFromOursAndFromStocks(boolean encrypted) throws Exception {
    HadoopRuntime hadoop = HadoopRuntime.locate();
    Path home = home("mixed-handlers");
    ClusterSpec stock = new ClusterSpec(hadoop.stock(), home).shortTasks().nodes(NODES);
    if (encrypted) {
      SelfSigned made = SelfSigned.make(home);
      for (int node = 0; node < NODES; node++) {
        Path unused = TlsFiles.write(home.resolve("node-" + node).resolve("conf"), made);
      }
      stock.mapred("mapreduce.shuffle.ssl.enabled", "true");
    }
    try (PseudoCluster cluster = PseudoCluster.start(stock)) {
      Path ours = Files.createDirectory(home.resolve("ours"));
      ClusterConf.link(hadoop.dropIns(), ours);
      ClusterConf.lead(cluster.nodeConf(0).resolveSibling("temptier"), ours);
      ClusterSpec.Dir fast = new ClusterSpec.Dir("[NVME]", Path.of("fast"));
      cluster.restartNode(0, RolloutSite.spec(cluster, 0, fast));
      assertTrue(
          cluster.nodeManagers().get(0).logged("TempTier serves map outputs from"),
          "stock's handler serves");
      BackgroundSort.Input.generate(cluster, ROWS, MAPS)
          // More reducers than a node takes at a time, and as many as maps.
          .sort("/out", "-Dmapreduce.job.reduces=" + MAPS)
          .unharmed();
      long sent = 0;
      for (int node = 0; node < NODES; node++) {
        // By the name that stock's handler has for it.
        JsonNode counted = cluster.nodeBeans(node, STOCKS).path(0);
        System.out.println("node " + node + ": " + counted);
        long ok = counted.path("ShuffleOutputsOK").asLong();
        assertTrue(ok > 0, counted.toString());
        assertEquals(
            encrypted, cluster.nodeManagers().get(node).logged("Encrypted shuffle is enabled"));
        sent += ok;
      }
      JsonNode media = new NodeMoves(cluster).media();
      assertTrue(media.path(0).path("SegmentsSent").asLong() > 0, media.toString());
      // Each reducer asks each node, whichever it runs on.
      assertTrue(sent >= NODES * MAPS, "answers: " + sent);
    }
  }

  private static PseudoCluster tiered(HadoopRuntime runtime, String name)
      throws IOException, InterruptedException {
    return PseudoCluster.start(
        new ClusterSpec(runtime, home(name))
            .shortTasks()
            .tiered(true)
            .dirs(
                new ClusterSpec.Dir("[NVME]", Path.of("fast")),
                new ClusterSpec.Dir("[DISK]", Path.of("slow"))));
  }

  /** Daemons on this build's Java, and a job that brings another. */
  @Test
  void aJobOnAnotherJavaUsesTheFastTierOfANodeManagerOnThisOne() throws Exception {
    HadoopRuntime located = HadoopRuntime.locate();
    Path others = located.javaHome();
    Path ours = Path.of(System.getProperty("java.home")).toRealPath();
    try (PseudoCluster cluster =
        tiered(new HadoopRuntime(located.jars(), located.dropIns(), ours), "mixed-javas")) {
      String env = "JAVA_HOME=" + others;
      BackgroundSort sort =
          BackgroundSort.Input.generate(cluster, ROWS, 4)
              .sort(
                  "/out",
                  "-Dyarn.app.mapreduce.am.env=" + env,
                  "-Dmapreduce.map.env=" + env,
                  "-Dmapreduce.reduce.env=" + env);
      Set<Path> javas = new TreeSet<>();
      while (!sort.isDone()) {
        cluster.containers().stream()
            .filter(process -> isOfTheJob(process.info()))
            .forEach(process -> javas.add(Path.of(process.info().command().orElse(""))));
        Thread.sleep(50);
      }
      JobResult job = sort.unharmed();
      assertEquals(Set.of(others.toRealPath().resolve("bin/java")), javas);
      assertTrue(job.placed("NVME_FILES") > 0, job.placed()::toString);
      assertEquals(0, job.placed("DISK_FILES"), job.placed()::toString);
    }
  }

  /** The job's Java processes: not its shells, nor what localizes its files. */
  private static boolean isOfTheJob(ProcessHandle.Info process) {
    return process.command().filter(command -> command.endsWith("/bin/java")).isPresent()
        && Stream.of(process.arguments().orElse(new String[0]))
            .anyMatch(word -> word.endsWith(".YarnChild") || word.endsWith(".MRAppMaster"));
  }

  /** A NodeManager with the jar of the shuffle handler that is for another Hadoop. */
  @Test
  void withAnothersJarStockServesAndSaysWhy() throws Exception {
    HadoopRuntime hadoop = HadoopRuntime.locate();
    try (PseudoCluster cluster = tiered(withWrongJar(hadoop), "wrong-jar")) {
      List<String> said =
          Files.readAllLines(cluster.nodeManagers().get(0).log()).stream()
              .filter(line -> line.contains("stock Hadoop's shuffle handler does"))
              .toList();
      assertEquals(1, said.size(), said::toString);
      assertTrue(said.get(0).contains("this is " + hadoop.version()), said.get(0));
      JobResult job = BackgroundSort.Input.generate(cluster, 20_000, 2).sort("/out").unharmed();
      assertTrue(job.placed("NVME_FILES") > 0, "nothing was placed");
    }
  }

  private static HadoopRuntime withWrongJar(HadoopRuntime hadoop) throws IOException {
    Path otherBuilds = HadoopRuntime.shuffleForHadoop33();
    List<Path> dropIns = new ArrayList<>(hadoop.dropIns());
    Path right = HadoopRuntime.shuffleOfThisBuild();
    boolean for33 = dropIns.remove(otherBuilds);
    assertTrue(for33 || dropIns.remove(right), dropIns::toString);
    dropIns.add(for33 ? right : otherBuilds);
    return new HadoopRuntime(hadoop.jars(), dropIns, hadoop.javaHome());
  }
}
