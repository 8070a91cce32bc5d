// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import io.temptier.lab.testbed.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real jobs on a real cluster, no property of which names TempTier, on local dirs that are as they
 * should be, too small, or wrongly configured, or of which the fast one vanishes or breaks.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TieredJobsIT {
  private static final int MAPS = 5;
  private static final long ROWS = 400_000;

  @AutoClose private final PseudoCluster cluster;
  private final BackgroundSort.Input input;
  private int outputs;

  TieredJobsIT() throws IOException, InterruptedException {
    Path home = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "tiered-jobs-");
    cluster = PseudoCluster.start(new ClusterSpec(HadoopRuntime.locate(), home).shortTasks());
    input = BackgroundSort.Input.generate(cluster, ROWS, MAPS);
  }

  private BackgroundSort sort(String... options) {
    return input.sort("/out" + outputs++, options);
  }

  /** Restarts the node with TempTier, the fast dir tagged and placed as given. */
  private void restart(String fastTag, Path fast) throws IOException, InterruptedException {
    cluster.restartNode(
        0,
        cluster
            .spec()
            .tiered(true)
            .dirs(
                new ClusterSpec.Dir(fastTag, fast),
                new ClusterSpec.Dir("[DISK]", Path.of("slow1")),
                new ClusterSpec.Dir("[DISK]", Path.of("slow2")))
            .yarn("temptier.reserve", "1m")
            .yarn("temptier.unknown-size", "1m")
            .yarn("yarn.nodemanager.disk-health-checker.interval-ms", "1000"));
  }

  @Test
  void teraValidateTellsRowsThatAreNotSorted() throws Exception {
    TeraRows made = new TeraRows(ROWS, 0);
    String fault = made.fault(cluster, cluster::example, input.path());
    assertTrue(fault.contains("misorder"), fault);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[NVME:0]", "[NVME:20m]", "[NVME]"})
  void outputIsStocksForAnyRoomOnTheFastTier(String fastTag) throws Exception {
    restart(fastTag, Path.of("fast"));
    // Small buffers, so that spills, merges and fetches to disk all happen.
    JobResult job =
        sort(
                "-Dmapreduce.task.io.sort.mb=4",
                "-Dmapreduce.reduce.shuffle.input.buffer.percent=0.05")
            .unharmed();
    long fast = job.placed("NVME_BYTES");
    long slow = job.placed("DISK_BYTES");
    long spilledDown = job.placed("SPILLED_DOWN_BYTES");
    assertTrue(fast + slow >= MAPS * input.splitBytes(), "all map outputs are counted");
    switch (fastTag) {
      case "[NVME:0]" -> {
        assertEquals(0, fast, "a cap of 0 takes nothing");
        assertEquals(slow, spilledDown);
      }
      case "[NVME]" -> {
        assertEquals(0, slow, "an unlimited tier takes everything");
        assertEquals(0, spilledDown);
      }
      default -> {
        assertTrue(fast > 0, "the fast tier was not used");
        assertTrue(slow > 0, "the fast tier filled mid-job, so some went down");
        assertEquals(slow, spilledDown);
        Operator operator = new Operator(cluster);
        operator.seesJob(job);
        Path fastest = cluster.localDirs(0).get(0);
        operator.plans(fastest.resolveSibling("plan.log"));
      }
    }
  }

  @Test
  void aBrokenConfigurationLeavesTheNodeManagerOnStockBehaviour() throws Exception {
    restart("[FLOPPY]", Path.of("fast"));
    JsonNode node = cluster.nodeBeans(0, "Hadoop:service=NodeManager,name=TempTier").path(0);
    assertNotEquals("ACTIVE", node.path("tag.Mode").asText(), node.toString());
    assertTrue(
        cluster.nodeManagers().get(0).logged("FLOPPY"), "the log names the value that is wrong");
    sort().unharmed();
  }

  @Test
  void aLocalDirDeletedMidJobDoesNotFailTheJob() throws Exception {
    restart("[NVME]", Path.of("vanishing"));
    Path fast = cluster.localDirs(0).get(0);
    BackgroundSort job = sortWithAnOutputOnTheFirstDir();
    // Moved first, so that it goes at one instant and nobody adds to it meanwhile.
    Path gone = fast.resolveSibling("gone");
    Files.move(fast, gone);
    Folders.delete(gone);
    job.result();
  }

  @Test
  @NeedsLoopDisk
  void aDiskThatTurnsReadOnlyMidJobDoesNotFailTheJob() throws Exception {
    Path home = Files.createDirectories(cluster.spec().home().resolve("loop"));
    try (LoopDisk disk = LoopDisk.create(home, 256 << 20)) {
      restart("[NVME]", disk.path().resolve("fast"));
      BackgroundSort job = sortWithAnOutputOnTheFirstDir();
      disk.coverReadOnly();
      job.result();
      // Before the disk goes, so does its user.
      cluster.stopNode(0);
    }
  }

  @Test
  @NeedsLoopDisk
  void anArchiveLargerThanTheFastTierIsLocalized() throws Exception {
    Path home = Files.createDirectories(cluster.spec().home().resolve("small"));
    try (LoopDisk disk = LoopDisk.create(home, 100 << 20)) {
      restart("[NVME]", disk.path().resolve("fast"));
      sort("-archives", zeros(home.resolve("large.zip"), 150).toString()).unharmed();
      List<Path> dirs = cluster.localDirs(0);
      assertFalse(holds(dirs.get(0), "large.zip/zeros"), "it does not fit there");
      assertTrue(
          dirs.stream().skip(1).anyMatch(dir -> holds(dir, "large.zip/zeros")),
          "it is not where it fits");
      // Before the disk goes, so does its user.
      cluster.stopNode(0);
    }
  }

  /** An archive that is small as long as nobody unpacks it. */
  private static Path zeros(Path archive, int megabytes) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
      zip.putNextEntry(new ZipEntry("zeros"));
      for (int i = 0; i < megabytes; i++) {
        zip.write(new byte[1 << 20]);
      }
      zip.closeEntry();
    }
    return archive;
  }

  /** A sort, one of whose maps has put its output on the first dir. */
  private BackgroundSort sortWithAnOutputOnTheFirstDir() throws Exception {
    Path dir = cluster.localDirs(0).get(0);
    BackgroundSort job =
        sort(
            // One map after the other, so that some are yet to come: where the output of a job's
            // only map is lost, stock's reducers give up one after the other, and the job may fail
            // (ShuffleSchedulerImpl.checkReducerHealth).
            "-Dmapreduce.job.running.map.limit=1",
            // A reducer that asks for all outputs of a node at once gets none where one is missing,
            // of stock's handler, too, and by default gives up before it has told of it.
            "-Dmapreduce.reduce.shuffle.maxfetchfailures=1",
            // YARN retries at once, and makes every container's folder on every dir that it has not
            // yet found to be bad: stock fails attempts, too, until its next check.
            "-Dmapreduce.map.maxattempts=20",
            "-Dmapreduce.reduce.maxattempts=20");
    job.await("a map output below " + dir, () -> holds(dir, "file.out"));
    return job;
  }

  private static boolean holds(Path dir, String file) {
    return !Folders.find(dir, path -> path.endsWith(file)).isEmpty();
  }
}
