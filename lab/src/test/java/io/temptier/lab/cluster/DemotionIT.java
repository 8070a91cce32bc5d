// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.lab.testbed.Folders;
import io.temptier.lab.testbed.Sampler;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Sorts whose map outputs are moved down while they run, also with a NodeManager and a reducer that
 * are killed. Their output is that of a sort in memory, and what they spill what {@code temptier
 * plan} predicts.
 */
@NeedsLoopDisk
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DemotionIT {
  private static final String JOB_COUNTERS = "org.apache.hadoop.mapreduce.JobCounter";
  private static final String TIERS = "Hadoop:service=NodeManager,name=TempTierInfo";
  private static final int MAPS = 12;
  private static final long ROWS = 1_080_000;
  private static final long FAST_BYTES = 64 << 20;

  /** An output is a tenth of the fast disk here, so that there must be room between the marks. */
  private static final double HIGH = 0.60;

  /** Where files spill; five points further YARN would take the disk away. */
  private static final double SPILL = 0.85;

  /** Files of less than 128 KiB are not claimed for: the reserve has room for them. */
  private static final double MOST = SPILL + 0.01;

  private static final ClusterSpec.Dir SLOW = new ClusterSpec.Dir("[DISK]", Path.of("slow"));

  @AutoClose private final PseudoCluster cluster;
  private final NodeMoves moves;
  private final BackgroundSort.Input input;

  DemotionIT() throws IOException, InterruptedException {
    Path home = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "demotion-");
    cluster =
        PseudoCluster.start(
            new ClusterSpec(HadoopRuntime.locate(), home)
                .shortTasks()
                .yarn("yarn.nodemanager.recovery.enabled", "true")
                .yarn("yarn.nodemanager.recovery.dir", home.resolve("recovery").toString()));
    moves = new NodeMoves(cluster);
    input = BackgroundSort.Input.generate(cluster, ROWS, MAPS);
  }

  @Test
  void aTierOfAThirdOfTheDataStaysUnderItsMarks() throws Exception {
    try (LoopDisk disk = loopDisk("third");
        FillSampler fill = new FillSampler(disk.path())) {
      Map<String, String> demotion = demotion("64m");
      restart(onDisk(disk.path(), demotion));
      BackgroundSort sort = input.sort("/out-third");
      sort.await("all maps to be done", sort::mapsDone);
      sort.await("the fast disk to be under its high mark", () -> fill.now() < HIGH);
      assertTrue(moves.number("FilesDemoted") > 0, "nothing was demoted");
      JobResult job = sort.result();
      System.out.println(
          "Filled at most: " + fill.highest() + "; demoted: " + moves.number("FilesDemoted"));
      assertEquals(0, moves.number("DemotionFailures"), "moves failed");
      assertEquals(0, job.failedAttempts(), "attempts failed");
      long tempBytes = job.placed("NVME_BYTES") + job.placed("DISK_BYTES");
      assertTrue(tempBytes >= 3 * fill.totalBytes(), "temporary data: " + tempBytes + " bytes");
      assertTrue(fill.highest() < MOST, () -> "it was filled too far: " + fill.highest());
      Operator.predicts(cluster, folder("third"), job, fill.totalBytes(), demotion, 1);
      cluster.stopNode(0);
    }
  }

  @Test
  void withoutDemotionWhatWasThereFirstStays() throws Exception {
    try (LoopDisk disk = loopDisk("filled");
        FillSampler fill = new FillSampler(disk.path())) {
      Map<String, String> off = Map.of("temptier.demotion.enabled", "false");
      restart(onDisk(disk.path(), off));
      JobResult job = input.sort("/out-filled").result();
      assertEquals(0, job.failedAttempts(), "attempts failed");
      assertEquals(0, moves.number("FilesDemoted"), "files were demoted");
      assertTrue(fill.highest() < MOST, () -> "it was filled too far: " + fill.highest());
      Operator.predicts(cluster, folder("filled"), job, fill.totalBytes(), off, 1);
      cluster.stopNode(0);
    }
  }

  @Test
  void aKilledNodeManagerAndAKilledReducerCostNothingButTime() throws Exception {
    try (LoopDisk disk = loopDisk("killed")) {
      // Slow enough to be met in the middle.
      restart(onDisk(disk.path(), demotion("1m")));
      Path fast = cluster.localDirs(0).get(0);
      Path slow = cluster.localDirs(0).get(1);
      long part = input.splitBytes() / 8;
      // Reducers write what they fetch to disk, where it can be seen.
      BackgroundSort sort =
          input.sort("/out-killed", "-Dmapreduce.reduce.shuffle.memory.limit.percent=0.01");
      sort.await("a move", () -> !NodeMoves.copies(slow, part).isEmpty());
      // As the kernel would, out of memory: its containers run on.
      cluster.killNode(0);
      List<Path> half = NodeMoves.copies(slow, part);
      assertEquals(1, half.size(), () -> "half a copy: " + half);
      assertTrue(Files.size(half.get(0)) < input.splitBytes(), "it is whole");
      restart(onDisk(disk.path(), demotion("64m")));
      sort.await("the half copy to be removed", () -> moves.number("LeftoversRemoved") > 0);
      sort.await("all maps to be done", sort::mapsDone);
      sort.await("a reducer to have fetched", () -> fetched(".*_r_000000_0"));
      // At once: it has little left to do.
      assertTrue(sort.task("_r_000000_0").destroyForcibly(), "the reducer could not be killed");
      assertTrue(NodeMoves.links(fast) > 0, "nothing was demoted");
      JobResult job = sort.result();
      assertTrue(
          job.counter(JOB_COUNTERS, "TOTAL_LAUNCHED_REDUCES") > job.reduces(),
          "the reducer did not run again");
      assertEquals(List.of(), NodeMoves.leftovers(fast));
      assertEquals(List.of(), NodeMoves.leftovers(slow));
      cluster.stopNode(0);
    }
  }

  @Test
  void aDirDrainedUnderLoadIsEmptiedAndTheJobUnharmed() throws Exception {
    try (LoopDisk disk = loopDisk("drained")) {
      restart(onDisk(disk.path(), demotion("64m")));
      Path fast = cluster.localDirs(0).get(0);
      BackgroundSort sort = input.sort("/out-drained");
      sort.await("an output on the fast disk", () -> !outputs(fast).isEmpty());
      String begun = Operator.text("drain", fast.toString(), "--jmx", cluster.nodeUrl(0));
      assertTrue(begun.contains("application_"), begun);
      sort.await("all maps to be done", sort::mapsDone);
      Eventually.holds("the fast disk is empty", () -> outputs(fast).isEmpty());
      sort.unharmed();
      assertTrue(refused("FilesRefusedDraining") > 0, "nothing was kept away");
      assertTrue(moves.number("FilesDemoted") > 0, "nothing was moved");
      Eventually.holds(
          "nothing of the job is left",
          () ->
              !Operator.text("drain", fast.toString(), "--jmx", cluster.nodeUrl(0))
                  .contains("application_"));
      cluster.stopNode(0);
    }
  }

  private static Map<String, String> demotion(String rate) {
    return Map.of(
        "temptier.demotion.cold-after",
        "1ms",
        "temptier.demotion.high",
        Math.round(HIGH * 100) + "%",
        "temptier.demotion.low",
        "40%",
        "temptier.demotion.rate",
        rate);
  }

  private ClusterSpec onDisk(Path mount, Map<String, String> properties) {
    return cluster
        .spec()
        .tiered(true)
        .dirs(new ClusterSpec.Dir("[NVME]", mount.resolve("fast")), SLOW)
        // The machine's own disk is as full as it is.
        .yarn("temptier.reserve.disk", "1m")
        .yarn("temptier.unknown-size", "1m")
        .yarn(properties);
  }

  private void restart(ClusterSpec spec) throws IOException, InterruptedException {
    cluster.restartNode(0, spec);
    assertTrue(
        cluster.nodeManagers().get(0).logged("TempTier serves map outputs from"),
        "stock's handler serves");
  }

  /** A disk that the NodeManager must have left before it goes. */
  private LoopDisk loopDisk(String name) throws IOException {
    return LoopDisk.create(folder(name), FAST_BYTES);
  }

  private Path folder(String name) throws IOException {
    return Files.createDirectories(cluster.spec().home().resolve(name));
  }

  private boolean fetched(String attempt) {
    return cluster.localDirs(0).stream()
        .anyMatch(
            dir ->
                !Folders.find(
                        dir, file -> file.toString().matches(".*/" + attempt + "/map_\\d+\\.out"))
                    .isEmpty());
  }

  /** Files that no dir of a tier took, for one reason. */
  private long refused(String attribute) throws IOException {
    String text = cluster.nodeBeans(0, TIERS).path(0).path("Tiers").asText();
    long sum = 0;
    for (JsonNode tier : new ObjectMapper().readTree(text)) {
      sum += tier.path(attribute).asLong();
    }
    return sum;
  }

  /** Samples how far a file system is filled, 0 to 1, as YARN's disk check sees it. */
  private static final class FillSampler extends Sampler {
    private final FileStore store;
    private volatile double highest;

    FillSampler(Path dir) throws IOException {
      super("fill-sampler", 50);
      this.store = Files.getFileStore(dir);
      start();
    }

    double now() throws IOException {
      return 1 - (double) store.getUsableSpace() / totalBytes();
    }

    long totalBytes() throws IOException {
      return store.getTotalSpace();
    }

    double highest() {
      return highest;
    }

    @Override
    protected void look() throws IOException {
      highest = Math.max(highest, now());
    }
  }

  private static List<Path> outputs(Path dir) {
    return Folders.find(
        dir,
        file -> file.endsWith("file.out") && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS));
  }
}
