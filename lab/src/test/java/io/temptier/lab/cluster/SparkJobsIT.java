// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static io.temptier.lab.cluster.SparkCluster.after;
import static io.temptier.lab.cluster.SparkCluster.conf;
import static io.temptier.lab.cluster.SparkCluster.work;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.BeforeRelease;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.lab.cluster.SparkCluster.Action;
import io.temptier.lab.process.Await;
import io.temptier.lab.spark.OtherPlugin;
import io.temptier.lab.testbed.Folders;
import io.temptier.tier.BlockFolders;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A real application of Spark on YARN, with the external shuffle service; what it works out is
 * compared with stock Spark's. The fast dir lies on a disk of its own. The ways in which Spark can
 * be set up to write and fetch, and what can befall it, with a fast dir that half of the data fits
 * on, take some minutes, and so {@code -Dtemptier.spark.matrix}.
 */
@NeedsLoopDisk
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SparkJobsIT {
  private static final String MATRIX = "temptier.spark.matrix";
  private static final long DISK_BYTES = 512L << 20;
  private static final Duration DEMOTION = Duration.ofMinutes(2);

  /** Two hundredths of 40 MiB. */
  private static final long MARK_BYTES = (40L << 20) / 50;

  private static final String HALF = "[NVME:16m]";
  private static final String NO_SERVICE = "spark.shuffle.service.enabled=false";
  private static final String DYNAMIC = "spark.dynamicAllocation.enabled=true";
  private static final String IDLE = "spark.dynamicAllocation.executorIdleTimeout=2s";
  private static final String NONE_LEFT = "spark.dynamicAllocation.minExecutors=0";
  private static final List<String> SORT_TWICE = work("sort", "idle", "sort");
  private static final List<String> SORT_AND_CACHE = work("sort", "cache", "sort");

  private final SparkCluster cluster;
  private LoopDisk disk;
  private int disks;

  SparkJobsIT() throws IOException, InterruptedException {
    cluster = new SparkCluster();
    disk = newDisk();
    SparkCluster.Seen stock = cluster.runStock(SparkCluster.ALL);
    assertTrue(stock.result().tasks().spilledBytes() > 0, "nothing was spilled");
    assertTrue(stock.slowBytes() > 0, "stock means in all dirs");
  }

  private LoopDisk newDisk() throws IOException {
    Path home = cluster.node().spec().home();
    return LoopDisk.create(Files.createDirectories(home.resolve("disk" + disks++)), DISK_BYTES);
  }

  @AfterAll
  void stop() throws IOException {
    // It lies in the cluster's home, which goes with the cluster.
    disk.close();
    cluster.close();
  }

  private void restart(String tag, Map<String, String> yarn)
      throws IOException, InterruptedException {
    cluster.restart(new ClusterSpec.Dir(tag, disk.path().resolve("local")), yarn);
  }

  /** SparkStandaloneIT has other rooms. */
  @Test
  void digestsAreStocksWhereTheFastTierFills() throws Exception {
    restart("[NVME:40m]", Map.of());
    SparkCluster.Seen seen = cluster.runTiered(SparkCluster.ALL, Map.of());
    assertEquals(0, seen.result().tasks().failed(), "attempts failed");
    assertTrue(seen.fastBytes() > 0, "the fast tier was not used");
    assertTrue(seen.slowBytes() > 0, "the fast tier filled, so some went down");
  }

  @BeforeRelease
  @Test
  void theOffSwitchReachesExecutorsThatRun() throws Exception {
    restart("[NVME:40m]", cluster.recovery());
    Path home = cluster.node().spec().home();
    Path off = home.resolve("switched-off");
    Path seen = home.resolve("seen");
    List<String> work = work("sort", "await:" + off, "cache", "group", "await:" + seen, "sort");
    Map<Path, BasicFileAttributes> before = new HashMap<>();
    Map<Path, BasicFileAttributes> afterwards = new HashMap<>();
    SparkResult result =
        cluster
            .run(
                work,
                cluster.tiered(Map.of()),
                after("sort", () -> during(this::switchOff, before, off))
                    .andThen(
                        after(
                            "group",
                            () ->
                                during(
                                    () -> assertEquals(0, claimedBytes(), "claimed"),
                                    afterwards,
                                    seen))))
            .result();
    cluster.assertAsStock(work, result);
    assertEquals(0, result.tasks().failed(), "attempts failed");
    assertTrue(
        before.values().stream().anyMatch(BasicFileAttributes::isSymbolicLink),
        "TempTier placed nothing while it was on");
    afterwards.keySet().removeAll(before.keySet());
    assertFalse(afterwards.isEmpty(), "nothing was written after the switch");
    assertEquals(
        List.of(),
        afterwards.entrySet().stream()
            .filter(file -> !file.getValue().isRegularFile() || isAnnexed(file.getKey()))
            .map(Map.Entry::getKey)
            .toList(),
        "not where Spark's hash put it");
    cluster.awaitClean();
  }

  /** Does something, and lets the application go on once its blocks are listed. */
  private void during(Action action, Map<Path, BasicFileAttributes> blocks, Path done)
      throws IOException, InterruptedException {
    action.run();
    for (Path dir : cluster.node().localDirs(0)) {
      Folders.walk(
          dir,
          (file, is) -> {
            if (file.toString().contains(BlockFolders.HOME) && !is.isDirectory()) {
              blocks.put(file, is);
            }
          });
    }
    Files.createFile(done);
  }

  private void switchOff() throws IOException, InterruptedException {
    Set<ProcessHandle> executors = Set.copyOf(cluster.executors());
    Path logs = cluster.node().logs();
    int before = Folders.find(logs, SparkJobsIT::tellsOff).size();
    cluster.switchOff();
    Eventually.holds(
        "executors are switched off",
        () -> Folders.find(logs, SparkJobsIT::tellsOff).size() == before + executors.size());
    Eventually.holds("their claims end", () -> claimedBytes() == 0);
    assertEquals(executors, Set.copyOf(cluster.executors()), "executors live on");
  }

  private static boolean tellsOff(Path file) {
    try {
      return file.endsWith("stderr")
          && Files.readString(file).contains("TempTier is off in the NodeManager of this node");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isAnnexed(Path block) {
    return StreamSupport.stream(block.spliterator(), false)
        .anyMatch(name -> BlockFolders.isAnnex(name.toString()));
  }

  /** Bytes claimed by executors. What a NodeManager had claimed may stay when it has ended. */
  private long claimedBytes() throws IOException {
    Set<String> owners =
        cluster.executors().stream()
            .map(executor -> executor.pid() + "-")
            .collect(Collectors.toSet());
    LongAdder bytes = new LongAdder();
    for (Path dir : cluster.node().localDirs(0)) {
      Path claims = dir.resolve(NodeMarker.DIR).resolve(NodeMarker.CLAIMS);
      Folders.walk(
          claims,
          (file, is) -> {
            String name = String.valueOf(file.getFileName());
            bytes.add(owners.stream().anyMatch(name::startsWith) ? is.size() : 0);
          });
    }
    return bytes.sum();
  }

  /** A way to set Spark up, and what is run. */
  enum Way {
    BARELY_SET_UP(SparkCluster.ALL),
    HOST_LOCAL_READS(SparkCluster.ALL, "spark.shuffle.readHostLocalDisk=true"),
    NO_SHUFFLE_SERVICE(SparkCluster.ALL, NO_SERVICE),
    HOST_LOCAL_READS_OF_PEERS(SparkCluster.ALL, NO_SERVICE, "spark.shuffle.readHostLocalDisk=true"),
    FETCHES_TO_DISK(SparkCluster.ALL, "spark.network.maxRemoteBlockSizeFetchToMem=1k"),
    ENCRYPTED(
        work("sort", "cache", "drop", "group", "sql"),
        "spark.io.encryption.enabled=true",
        "spark.shuffle.service.removeShuffle=true",
        "spark.shuffle.service.fetch.rdd.enabled=true"),
    EXECUTORS_GONE(SORT_TWICE, DYNAMIC, IDLE, NONE_LEFT),
    /** Spark keeps an executor that was handed outputs after their job, however idle it is. */
    DECOMMISSION(
        work("sort", "idle:1", "sort"),
        NO_SERVICE,
        DYNAMIC,
        IDLE,
        "spark.dynamicAllocation.maxExecutors=2",
        "spark.dynamicAllocation.shuffleTracking.enabled=true",
        "spark.dynamicAllocation.shuffleTracking.timeout=3s",
        "spark.decommission.enabled=true",
        "spark.storage.decommission.enabled=true",
        "spark.storage.decommission.shuffleBlocks.enabled=true"),
    SPECULATION(
        SparkCluster.ALL,
        "spark.speculation=true",
        "spark.speculation.interval=10ms",
        "spark.speculation.multiplier=1.01",
        "spark.speculation.quantile=0.1"),
    BARRIER_STAGES(work("sort", "barrier")),
    DRIVER_IN_CLIENT(SparkCluster.ALL, "spark.temptier.driver=true"),
    DRIVER_IN_CLUSTER(
        SparkCluster.ALL,
        SparkSite.DEPLOY_MODE + "=cluster",
        "spark.temptier.driver=true",
        "spark.driver.memory=512m");

    private final List<String> work;
    private final Map<String, String> conf;

    Way(List<String> work, String... properties) {
      this.work = work;
      this.conf = conf(properties);
    }
  }

  @ParameterizedTest
  @EnabledIfSystemProperty(named = MATRIX, matches = ".*")
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
  @EnabledIfSystemProperty(named = MATRIX, matches = ".*")
  void pushedBlocksAreMerged() throws Exception {
    restart(
        HALF,
        conf(
            "spark.shuffle.push.server.mergedShuffleFileManagerImpl"
                + "=org.apache.spark.network.shuffle.RemoteBlockPushResolver"));
    Map<String, String> push =
        conf(
            "spark.shuffle.push.enabled=true",
            "spark.shuffle.push.mergersMinStaticThreshold=1",
            // Else a driver does not wait until little is merged.
            "spark.shuffle.push.minShuffleSizeToWait=1",
            "spark.serializer=org.apache.spark.serializer.KryoSerializer");
    for (Map<String, String> conf : List.of(push, cluster.tiered(push))) {
      List<Path> merged = new ArrayList<>();
      SparkResult result =
          cluster
              .run(SparkCluster.ALL, conf, after("sort", () -> merged.addAll(merged())))
              .result();
      cluster.assertAsStock(SparkCluster.ALL, result);
      assertEquals(0, result.tasks().failed(), "attempts failed");
      assertTrue(merged.stream().anyMatch(file -> file.toString().endsWith(".data")), "no merges");
      assertTrue(merged.stream().noneMatch(Files::isSymbolicLink), "TempTier placed them");
      cluster.awaitClean();
    }
  }

  /** What the shuffle service merged in the node's dirs. */
  private List<Path> merged() throws IOException {
    List<Path> all = new ArrayList<>();
    for (Path dir : cluster.node().localDirs(0)) {
      List<Path> here = Folders.find(dir, SparkJobsIT::isMerged);
      long bytes = here.stream().mapToLong(file -> file.toFile().length()).sum();
      System.out.println(dir + ": " + here.size() + " merged files, " + bytes + " bytes");
      all.addAll(here);
    }
    return all;
  }

  private static boolean isMerged(Path file) {
    return file.toString().contains("/merge_manager") && !Files.isDirectory(file);
  }

  @Test
  @EnabledIfSystemProperty(named = MATRIX, matches = ".*")
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
  @EnabledIfSystemProperty(named = MATRIX, matches = ".*")
  void anExecutorThatIsKilledCostsItsTasksOnly() throws Exception {
    restart(HALF, Map.of());
    SparkResult result =
        runWith(cluster.tiered(Map.of()), () -> assertTrue(killOne(), "it could not be killed"));
    cluster.assertAsStock(SORT_AND_CACHE, result);
    assertEquals(0, result.tasks().notFetched(), "its files were lost");
    cluster.awaitClean();
  }

  /** Sorts, has something happen, caches, and sorts once more. */
  private SparkResult runWith(Map<String, String> conf, Action action)
      throws IOException, InterruptedException {
    return cluster.run(SORT_AND_CACHE, conf, after("sort", action)).result();
  }

  private boolean killOne() {
    List<ProcessHandle> executors = cluster.executors();
    return !executors.isEmpty() && executors.get(0).destroyForcibly();
  }

  @Test
  @EnabledIfSystemProperty(named = MATRIX, matches = ".*")
  void aNodeManagerThatRestartsCostsNothing() throws Exception {
    restart(HALF, cluster.recovery());
    SparkResult result = runWith(cluster.tiered(Map.of()), cluster::restartAsItIs);
    cluster.assertAsStock(SORT_AND_CACHE, result);
    assertEquals(0, result.tasks().failed(), "attempts failed");
    cluster.awaitClean();
  }

  /** Of executors that run, and where none is left. */
  @Test
  @EnabledIfSystemProperty(named = MATRIX, matches = ".*")
  void theNodeManagerDemotes() throws Exception {
    // 3 MB lie there, far above the mark.
    restart("[NVME:40m]", Map.of("temptier.demotion.high", "2%", "temptier.demotion.low", "1%"));
    Path fast = cluster.node().localDirs(0).get(0);
    Path demoted = cluster.node().spec().home().resolve("demoted");
    List<String> work = work("sort", "idle", "await:" + demoted, "sort");
    Map<String, String> conf = cluster.tiered(conf(DYNAMIC, IDLE, NONE_LEFT));
    SparkCluster.Seen seen =
        cluster.run(
            work,
            conf,
            after(
                "idle",
                () -> {
                  Await.until(
                      "demotion", DEMOTION, () -> SparkCluster.AppBytes.now(fast) < MARK_BYTES);
                  Files.createFile(demoted);
                }));
    cluster.assertAsStock(work, seen.result());
    assertEquals(0, seen.result().tasks().failed(), "attempts failed");
    cluster.awaitClean();
  }

  /** Without it Spark fails as it does for any plugin: its executors end, one after the other. */
  @Test
  @EnabledIfSystemProperty(named = MATRIX, matches = ".*")
  void aPluginThatExecutorsDoNotFindFailsTheApplication() throws Exception {
    cluster.restartStock();
    Map<String, String> conf = new HashMap<>(cluster.tiered(Map.of()));
    conf.remove("spark.executor.extraClassPath");
    conf.put("spark.executor.maxNumFailures", "2");
    SparkResult result = cluster.run(SparkCluster.ALL, conf, line -> {}).result();
    assertNotEquals(0, result.exitCode(), "it did not fail");
    cluster.awaitClean();
  }

  @Test
  @EnabledIfSystemProperty(named = MATRIX, matches = ".*")
  void aDriverThatIsLostLeavesNothing() throws Exception {
    restart(HALF, Map.of());
    SparkResult result =
        runWith(
            cluster.tiered(Map.of()),
            () ->
                assertTrue(
                    SparkCluster.drivers().stream().allMatch(ProcessHandle::destroyForcibly)));
    assertNotEquals(0, result.exitCode(), "it was not killed");
    cluster.awaitClean();
  }

  /** What becomes of a disk. */
  enum DiskFault {
    LOST,
    READ_ONLY,
    FULL
  }

  /** Stock goes on in its other dirs, if its tasks may fail often enough, and so must we. */
  @ParameterizedTest
  @EnabledIfSystemProperty(named = MATRIX, matches = ".*")
  @CsvSource({"LOST,0", "READ_ONLY,0", "FULL,0", "LOST,1", "READ_ONLY,1", "FULL,1"})
  void aFaultOfADiskFailsNoApplication(DiskFault fault, int tier) throws Exception {
    Path onDisk = disk.path().resolve("local");
    Path plain = Path.of("plain" + disks);
    ClusterSpec.Dir fast = new ClusterSpec.Dir(HALF, tier == 0 ? onDisk : plain);
    ClusterSpec.Dir slow = new ClusterSpec.Dir("[DISK]", tier == 0 ? plain : onDisk);
    SparkResult stock = runAndLose(Map.of(), fault, fast, slow);
    Assumptions.assumeTrue(
        stock.succeeded(), "SKIPPED: stock Spark itself fails without one of its dirs");
    cluster.assertAsStock(SORT_AND_CACHE, runAndLose(cluster.tiered(Map.of()), fault, fast, slow));
  }

  private SparkResult runAndLose(
      Map<String, String> conf, DiskFault fault, ClusterSpec.Dir fast, ClusterSpec.Dir slow)
      throws Exception {
    cluster.restart(fast, slow, Map.of());
    Map<String, String> all = new HashMap<>(conf);
    all.put("spark.task.maxFailures", "20");
    try {
      return runWith(all, () -> lose(fault));
    } finally {
      // Its NodeManager must not hold what is closed next.
      cluster.restartStock();
      disk.close();
      disk = newDisk();
    }
  }

  private void lose(DiskFault fault) throws IOException {
    switch (fault) {
      case LOST -> disk.unmount();
      case READ_ONLY -> disk.coverReadOnly();
      case FULL -> fill(disk.path().resolve("others"));
    }
  }

  private static void fill(Path file) throws IOException {
    byte[] zeros = new byte[1 << 16];
    try (OutputStream out = Files.newOutputStream(file)) {
      while (true) {
        out.write(zeros);
      }
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("No space left")) {
        throw e;
      }
    }
  }
}
