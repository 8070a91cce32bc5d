// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static io.temptier.lab.cluster.SparkCluster.work;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.LoopDisk;
import io.temptier.lab.spark.OtherPlugin;
import io.temptier.lab.spark.SparkWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The ways in which Spark can be set up to write and fetch, and what can befall it, each with a
 * fast disk that half of the data fits on. Some minutes, and so with {@code
 * -Dtemptier.spark.matrix} only.
 */
@EnabledIfSystemProperty(named = "temptier.spark.matrix", matches = ".*")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SparkMatrixIT {
  private static final long DISK_BYTES = 512L << 20;
  private static final String HALF = "[NVME:16m]";
  private static final String SERVICE = "spark.shuffle.service.enabled";
  private static final String DYNAMIC = "spark.dynamicAllocation.enabled";
  private static final String IDLE = "spark.dynamicAllocation.executorIdleTimeout";
  private static final String LOCAL_READS = "spark.shuffle.readHostLocalDisk";
  private static final String SORTED = SparkWork.STEP + "\tsort\t";
  private static final List<String> SORT_TWICE = work("sort", "idle", "sort");
  private static final List<String> SORT_AND_CACHE = work("sort", "cache", "sort");

  private final SparkCluster cluster;
  private LoopDisk disk;
  private int disks;

  SparkMatrixIT() throws IOException, InterruptedException {
    cluster = new SparkCluster();
    disk = newDisk();
    SparkCluster.Seen unused = cluster.runStock(SparkCluster.ALL);
  }

  private LoopDisk newDisk() throws IOException {
    Path home = cluster.node().spec().home();
    return LoopDisk.createOrSkip(
        Files.createDirectories(home.resolve("disk" + disks++)), DISK_BYTES);
  }

  @AfterAll
  void stop() throws IOException {
    cluster.close();
    disk.close();
  }

  private void restart(String tag, Map<String, String> yarn)
      throws IOException, InterruptedException {
    cluster.restart(new ClusterSpec.Dir(tag, disk.path().resolve("local")), yarn);
  }

  /** A way to set Spark up, and what is run. */
  enum Way {
    BARELY_SET_UP(SparkCluster.ALL, Map.of()),
    HOST_LOCAL_READS(SparkCluster.ALL, Map.of(LOCAL_READS, "true")),
    NO_SHUFFLE_SERVICE(SparkCluster.ALL, Map.of(SERVICE, "false")),
    HOST_LOCAL_READS_OF_PEERS(SparkCluster.ALL, Map.of(SERVICE, "false", LOCAL_READS, "true")),
    FETCHES_TO_DISK(SparkCluster.ALL, Map.of("spark.network.maxRemoteBlockSizeFetchToMem", "1k")),
    ENCRYPTED(
        work("sort", "cache", "drop", "group", "sql"),
        Map.of(
            "spark.io.encryption.enabled",
            "true",
            "spark.shuffle.service.removeShuffle",
            "true",
            "spark.shuffle.service.fetch.rdd.enabled",
            "true")),
    EXECUTORS_GONE(
        SORT_TWICE,
        Map.of(DYNAMIC, "true", IDLE, "2s", "spark.dynamicAllocation.minExecutors", "0")),
    DECOMMISSION(
        SORT_TWICE,
        Map.of(
            SERVICE,
            "false",
            DYNAMIC,
            "true",
            IDLE,
            "2s",
            "spark.dynamicAllocation.shuffleTracking.enabled",
            "true",
            "spark.dynamicAllocation.shuffleTracking.timeout",
            "3s",
            "spark.decommission.enabled",
            "true",
            "spark.storage.decommission.enabled",
            "true",
            "spark.storage.decommission.shuffleBlocks.enabled",
            "true")),
    SPECULATION(
        SparkCluster.ALL,
        Map.of(
            "spark.speculation",
            "true",
            "spark.speculation.interval",
            "10ms",
            "spark.speculation.multiplier",
            "1.01",
            "spark.speculation.quantile",
            "0.1")),
    DRIVER_IN_CLIENT(SparkCluster.ALL, Map.of("spark.temptier.driver", "true")),
    DRIVER_IN_CLUSTER(
        SparkCluster.ALL,
        Map.of(
            SparkSite.DEPLOY_MODE,
            "cluster",
            "spark.temptier.driver",
            "true",
            "spark.driver.memory",
            "512m"));

    private final List<String> work;
    private final Map<String, String> conf;

    Way(List<String> work, Map<String, String> conf) {
      this.work = work;
      this.conf = conf;
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void digestsAreStocksHoweverSparkIsSetUp(Way way) throws Exception {
    restart(HALF, Map.of());
    SparkCluster.Seen seen = cluster.runTiered(way.work, way.conf);
    assertEquals(0, seen.result().tasks().failed(), "attempts failed");
    assertTrue(seen.fastBytes() > 0, "the fast tier was not used");
    assertTrue(seen.slowBytes() > 0, "the fast tier filled, so some went down");
  }

  /** The merged files are the shuffle service's, which puts them where it always did. */
  @Test
  void pushedBlocksAreMerged() throws Exception {
    String push = "spark.shuffle.push.";
    restart(
        HALF,
        Map.of(
            push + "server.mergedShuffleFileManagerImpl",
            "org.apache.spark.network.shuffle.RemoteBlockPushResolver"));
    Map<String, String> conf =
        Map.of(
            push + "enabled",
            "true",
            push + "mergersMinStaticThreshold",
            "1",
            "spark.serializer",
            "org.apache.spark.serializer.KryoSerializer");
    assertEquals(0, cluster.runTiered(SparkCluster.ALL, conf).result().tasks().failed());
  }

  @Test
  void aPluginOfTheUsersWorksBesideOurs() throws Exception {
    restart(HALF, Map.of());
    Map<String, String> conf = new HashMap<>(cluster.tiered(Map.of()));
    conf.merge("spark.plugins", OtherPlugin.class.getName(), (ours, theirs) -> ours + "," + theirs);
    SparkResult result = cluster.runTiered(SparkCluster.ALL, conf).result();
    assertTrue(
        result.log().stream().anyMatch(line -> line.startsWith(OtherPlugin.EXECUTOR)),
        "the other plugin was not called");
  }

  /** Its shuffle files are the service's; what was cached there is made again. */
  @Test
  void anExecutorThatIsKilledCostsItsTasksOnly() throws Exception {
    restart(HALF, Map.of());
    SparkResult result =
        runWith(cluster.tiered(Map.of()), () -> assertTrue(killOne(), "it could not be killed"));
    cluster.assertAsStock(SORT_AND_CACHE, result);
    assertEquals(0, result.tasks().notFetched(), "its files were lost");
    cluster.awaitClean();
  }

  /** Something that befalls a node. */
  private interface Fate {
    void strike() throws IOException, InterruptedException;
  }

  /** Sorts, has something happen, caches, and sorts once more. */
  private SparkResult runWith(Map<String, String> conf, Fate fate)
      throws IOException, InterruptedException {
    AtomicBoolean struck = new AtomicBoolean();
    return cluster
        .run(
            SORT_AND_CACHE,
            conf,
            line -> {
              if (line.startsWith(SORTED) && struck.compareAndSet(false, true)) {
                strike(fate);
              }
            })
        .result();
  }

  private static void strike(Fate fate) {
    try {
      fate.strike();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean killOne() {
    List<ProcessHandle> executors = cluster.executors();
    return !executors.isEmpty() && executors.get(0).destroyForcibly();
  }

  @Test
  void aNodeManagerThatRestartsCostsNothing() throws Exception {
    restart(
        HALF,
        Map.of(
            "yarn.nodemanager.recovery.enabled",
            "true",
            "yarn.nodemanager.recovery.supervised",
            "true",
            "yarn.nodemanager.recovery.dir",
            cluster.node().spec().home().resolve("recovery").toString()));
    SparkResult result = runWith(cluster.tiered(Map.of()), cluster::restartAsItIs);
    cluster.assertAsStock(SORT_AND_CACHE, result);
    assertEquals(0, result.tasks().failed(), "attempts failed");
    cluster.awaitClean();
  }

  /** Without it Spark fails as it does for any plugin: its executors end, one after the other. */
  @Test
  void aPluginThatExecutorsDoNotFindFailsTheApplication() throws Exception {
    cluster.restartStock();
    Map<String, String> conf = new HashMap<>(cluster.tiered(Map.of()));
    conf.remove("spark.executor.extraClassPath");
    conf.put("spark.executor.maxNumFailures", "2");
    SparkResult result = cluster.run(SparkCluster.ALL, conf, line -> {}).result();
    assertNotEquals(0, result.exitCode(), "it did not fail");
    cluster.awaitClean();
  }

  /** Stock goes on in its other dirs, if its tasks may fail often enough, and so must we. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFastDirThatIsLostFailsNoApplication(boolean readOnly) throws Exception {
    SparkResult stock = runAndLose(Map.of(), readOnly);
    Assumptions.assumeTrue(
        stock.succeeded(), "SKIPPED: stock Spark itself fails without one of its dirs");
    SparkResult result = runAndLose(cluster.tiered(Map.of()), readOnly);
    cluster.assertAsStock(SORT_AND_CACHE, result);
  }

  private SparkResult runAndLose(Map<String, String> conf, boolean readOnly) throws Exception {
    restart(HALF, Map.of());
    Map<String, String> all = new HashMap<>(conf);
    all.put("spark.task.maxFailures", "20");
    try {
      return runWith(all, () -> lose(readOnly));
    } finally {
      // Its NodeManager must not hold what is closed next.
      cluster.restartStock();
      disk.close();
      disk = newDisk();
    }
  }

  private void lose(boolean readOnly) throws IOException {
    if (readOnly) {
      disk.coverReadOnly();
    } else {
      disk.unmount();
    }
  }
}
