// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static io.temptier.lab.cluster.SparkCluster.after;
import static io.temptier.lab.cluster.SparkCluster.work;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.BeforeRelease;
import io.temptier.fixtures.Eventually;
import io.temptier.lab.process.Shell;
import io.temptier.lab.testbed.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Applications on Spark's own Master and Worker, where no NodeManager tells the tiers. With {@code
 * -Dtemptier.spark.home=DIR} those of another Spark, such as a PySpark that pip installed, and then
 * one in Python, too.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SparkStandaloneIT {
  /** Steps whose byte code fits every Spark from 3.4 to 4.1. */
  private static final List<String> WORK = work("sort", "cache", "group", "repartition");

  private static final List<String> SORT_TWICE = work("sort", "cache", "sort");

  private static final Map<String, String> DECOMMISSION =
      SparkCluster.conf(
          "spark.shuffle.service.enabled=false",
          "spark.decommission.enabled=true",
          "spark.storage.decommission.enabled=true",
          "spark.storage.decommission.shuffleBlocks.enabled=true");

  /** Sorts, groups, and caches on disk, with Python's own work in every step. */
  private static final String PYTHON =
      """
      from pyspark import SparkConf, SparkContext, StorageLevel
      import zlib
      sc = SparkContext(conf=SparkConf())
      print("APPLICATION\\t" + sc.applicationId)
      def row(i):
          return (zlib.crc32(str(i).encode()), "x" * 90)
      def rows(seed):
          return sc.parallelize(range(seed, seed + 60000), 4).map(row)
      def step(name, result):
          print("STEP\\t%s\\t%s\\t0" % (name, zlib.crc32(repr(result).encode())))
      step("sort", rows(0).sortByKey(numPartitions=3).map(lambda r: r[0]).collect())
      groups = rows(1).map(lambda r: (r[0] % 500, 1)).groupByKey(3)
      step("group", sorted(groups.mapValues(lambda v: sum(v)).collect()))
      cached = rows(2).persist(StorageLevel.DISK_ONLY)
      step("cache", [cached.count(), cached.filter(lambda r: r[0] % 7 == 0).count()])
      sc.stop()
      """;

  private final Path home;
  private final Path fast;
  private final List<Path> slow;
  private final StandaloneSpark spark;

  SparkStandaloneIT() throws IOException {
    home = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "standalone-");
    fast = Files.createDirectory(home.resolve("fast"));
    slow =
        List.of(
            Files.createDirectory(home.resolve("slow0")),
            Files.createDirectory(home.resolve("slow1")));
    spark = new StandaloneSpark(home, List.of(slow.get(0), fast, slow.get(1)), 2);
  }

  @AfterAll
  void stop() throws IOException {
    spark.close();
    Folders.delete(home);
  }

  /** An application that says its steps to who listens. */
  private interface Application {
    SparkResult run(Map<String, String> conf, Consumer<String> output)
        throws IOException, InterruptedException;
  }

  /**
   * Runs it by Spark alone and with tiers, which must give the same: what fits lies on the fast
   * dir, and nothing elsewhere; of what does not some lies on each.
   */
  private void assertAsStock(Application application, String... fastTags) throws Exception {
    SparkResult stock = application.run(Map.of(), line -> {});
    assertTrue(stock.digests().size() > 2, () -> String.join("\n", stock.log()));
    awaitClean();
    for (String fastTag : fastTags) {
      AtomicLong fastBytes = new AtomicLong();
      AtomicLong slowBytes = new AtomicLong(-1);
      SparkResult tiered =
          application.run(
              tiered(fastTag),
              after(
                  "sort",
                  () -> {
                    fastBytes.set(bytes(List.of(fast)));
                    slowBytes.set(bytes(slow));
                  }));
      assertEquals(stock.digests(), tiered.digests(), () -> String.join("\n", tiered.log()));
      assertEquals(0, tiered.tasks().failed(), "attempts failed");
      assertTrue(fastBytes.get() > 0, "the fast tier was not used");
      assertEquals(fastTag.equals("[NVME]"), slowBytes.get() == 0, slowBytes + " bytes below");
      awaitClean();
    }
  }

  @Test
  void digestsAreStocksForAnyRoomOnTheFastTier() throws Exception {
    assertAsStock((conf, output) -> spark.run(WORK, conf, output), "[NVME:8m]", "[NVME]");
  }

  /** The Worker's shuffle service has its files. */
  @Test
  @BeforeRelease
  void anExecutorThatIsKilledCostsItsTasksOnly() throws Exception {
    SparkResult stock = killingOne(Map.of());
    SparkResult tiered = killingOne(tiered("[NVME:8m]"));
    assertEquals(stock.digests(), tiered.digests(), () -> String.join("\n", tiered.log()));
    assertTrue(
        tiered.tasks().notFetched() <= stock.tasks().notFetched(),
        () -> "its files were lost:\n" + String.join("\n", tiered.log()));
    System.out.println("Not fetched: " + stock.tasks() + ", tiered " + tiered.tasks());
    awaitClean();
  }

  private SparkResult killingOne(Map<String, String> conf) throws Exception {
    AtomicInteger killed = new AtomicInteger();
    SparkResult result =
        spark.run(
            SORT_TWICE,
            conf,
            after(
                "sort",
                () ->
                    spark.executors().stream()
                        .limit(1)
                        .filter(ProcessHandle::destroyForcibly)
                        .forEach(executor -> killed.incrementAndGet())));
    assertEquals(1, killed.get());
    return result;
  }

  /** The other executor takes its blocks, which no shuffle service has. */
  @Test
  @BeforeRelease
  void anExecutorThatIsDecommissionedCostsNothing() throws Exception {
    SparkResult stock = decommissioningOne(Map.of());
    SparkResult tiered = decommissioningOne(tiered("[NVME:8m]"));
    assertEquals(stock.digests(), tiered.digests(), () -> String.join("\n", tiered.log()));
    for (SparkResult result : List.of(stock, tiered)) {
      assertEquals(0, result.tasks().failed(), () -> String.join("\n", result.log()));
    }
    awaitClean();
  }

  private SparkResult decommissioningOne(Map<String, String> conf) throws Exception {
    Path gone = home.resolve("gone");
    Files.deleteIfExists(gone);
    Map<String, String> all = new HashMap<>(conf);
    all.putAll(DECOMMISSION);
    return spark.run(
        work("sort", "await:" + gone, "sort"),
        all,
        after(
            "sort",
            () -> {
              ProcessHandle executor = spark.executors().get(0);
              Shell.run("kill", "-PWR", Long.toString(executor.pid()));
              Eventually.holds("its blocks are handed over", () -> !executor.isAlive());
              Files.createFile(gone);
            }));
  }

  @Test
  void anApplicationInPythonGivesWhatStockGives() throws Exception {
    Assumptions.assumeTrue(
        !StandaloneSpark.python().isEmpty(),
        "SKIPPED: no PySpark, see -D" + SparkRuntime.HOME + " in CONTRIBUTING.md");
    Path script = Files.writeString(home.resolve("work.py"), PYTHON);
    assertAsStock((conf, output) -> spark.runPython(script, conf, output), "[NVME]");
  }

  private Map<String, String> tiered(String fastTag) {
    return Map.of(
        "spark.plugins",
        "io.temptier.spark.TierPlugin",
        "spark.temptier.local-dirs",
        "%s%s,[DISK]%s,[DISK]%s".formatted(fastTag, fast, slow.get(0), slow.get(1)));
  }

  private static long bytes(List<Path> dirs) {
    return dirs.stream()
        .flatMap(dir -> Folders.find(dir, SparkStandaloneIT::isBlock).stream())
        .mapToLong(file -> file.toFile().length())
        .sum();
  }

  private static boolean isBlock(Path file) {
    return file.toString().contains("blockmgr-")
        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }

  private void awaitClean() {
    Eventually.holds(
        "no file of an executor is left",
        () ->
            Stream.of(fast, slow.get(0), slow.get(1))
                .allMatch(dir -> Folders.find(dir, file -> isLeft(dir, file)).isEmpty()));
  }

  private static boolean isLeft(Path dir, Path file) {
    return !Files.isDirectory(file) && !file.startsWith(dir.resolve(".temptier"));
  }
}
