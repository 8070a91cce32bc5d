// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static io.temptier.lab.cluster.SparkCluster.after;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.lab.cluster.SparkCluster.Action;
import io.temptier.lab.testbed.Folders;
import io.temptier.tier.BlockFolders;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A real application of Spark on YARN, with the external shuffle service; what it works out is
 * compared with stock Spark's. The fast dir lies on a disk of its own.
 */
@NeedsLoopDisk
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SparkJobsIT {
  private static final long DISK_BYTES = 512L << 20;

  private final SparkCluster cluster;
  private final LoopDisk disk;
  private final Path fast;

  SparkJobsIT() throws IOException, InterruptedException {
    cluster = new SparkCluster();
    Path folder = Files.createDirectories(cluster.node().spec().home().resolve("fast"));
    disk = LoopDisk.create(folder, DISK_BYTES);
    fast = disk.path();
    SparkCluster.Seen stock = cluster.runStock(SparkCluster.ALL);
    assertTrue(stock.result().tasks().spilledBytes() > 0, "nothing was spilled");
    assertTrue(stock.slowBytes() > 0, "stock means in all dirs");
  }

  @AfterAll
  void stop() throws IOException {
    // It lies in the cluster's home, which goes with the cluster.
    disk.close();
    cluster.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[NVME:40m]", "[NVME]"})
  void digestsAreStocksForAnyRoomOnTheFastTier(String tag) throws Exception {
    cluster.restart(new ClusterSpec.Dir(tag, fast.resolve("local")), Map.of());
    SparkCluster.Seen seen = cluster.runTiered(SparkCluster.ALL, Map.of());
    assertEquals(0, seen.result().tasks().failed(), "attempts failed");
    assertTrue(seen.fastBytes() > 0, "the fast tier was not used");
    if (tag.equals("[NVME]")) {
      assertEquals(0, seen.slowBytes(), "an unlimited tier takes everything");
    } else {
      assertTrue(seen.slowBytes() > 0, "the fast tier filled, so some went down");
    }
  }

  @Test
  void theOffSwitchReachesExecutorsThatRun() throws Exception {
    cluster.restart(new ClusterSpec.Dir("[NVME:40m]", fast.resolve("local")), cluster.recovery());
    Path home = cluster.node().spec().home();
    Path off = home.resolve("switched-off");
    Path seen = home.resolve("seen");
    List<String> work =
        SparkCluster.work("sort", "await:" + off, "cache", "group", "await:" + seen, "sort");
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
    cluster.switchOff();
    Path logs = cluster.node().logs();
    Eventually.holds(
        "executors are switched off",
        () -> Folders.find(logs, SparkJobsIT::tellsOff).size() == executors.size());
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
}
