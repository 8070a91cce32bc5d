// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real jobs on a real cluster, no property of which names TempTier, on local dirs that are as they
 * should be, too small, or wrongly configured.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TieredJobsIT {
  @AutoClose private final TieredCluster tiered;
  private final PseudoCluster cluster;
  private final BackgroundSort.Input input;

  TieredJobsIT() throws IOException, InterruptedException {
    tiered = new TieredCluster("tiered-jobs-");
    cluster = tiered.cluster;
    input = tiered.input;
  }

  @Test
  void teraValidateTellsRowsThatAreNotSorted() throws Exception {
    TeraRows made = new TeraRows(TieredCluster.ROWS, 0);
    String fault = made.fault(cluster, cluster::example, input.path());
    assertTrue(fault.contains("misorder"), fault);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[NVME:0]", "[NVME:20m]", "[NVME]"})
  void outputIsStocksForAnyRoomOnTheFastTier(String fastTag) throws Exception {
    tiered.restart(fastTag, "fast");
    // Small buffers, so that spills, merges and fetches to disk all happen.
    JobResult job =
        input
            .sort(
                tiered.nextOutput(),
                "-Dmapreduce.task.io.sort.mb=4",
                "-Dmapreduce.reduce.shuffle.input.buffer.percent=0.05")
            .unharmed();
    long fast = job.placed("NVME_BYTES");
    long slow = job.placed("DISK_BYTES");
    long spilledDown = job.placed("SPILLED_DOWN_BYTES");
    assertTrue(
        fast + slow >= TieredCluster.MAPS * input.splitBytes(), "all map outputs are counted");
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
  @NeedsLoopDisk
  void anArchiveLargerThanTheFastTierIsLocalized() throws Exception {
    Path home = Files.createDirectories(cluster.spec().home().resolve("small"));
    try (LoopDisk disk = LoopDisk.create(home, 100 << 20)) {
      tiered.restart("[NVME]", disk.path().resolve("fast").toString());
      input
          .sort(tiered.nextOutput(), "-archives", zeros(home.resolve("large.zip"), 150).toString())
          .unharmed();
      List<Path> dirs = cluster.localDirs(0);
      Predicate<Path> unpacked = file -> file.endsWith("large.zip/zeros");
      assertFalse(TieredCluster.holds(dirs.get(0), unpacked), "it does not fit there");
      assertTrue(
          dirs.stream().skip(1).anyMatch(dir -> TieredCluster.holds(dir, unpacked)),
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

  @Test
  void aBrokenConfigurationLeavesTheNodeManagerOnStockBehaviour() throws Exception {
    tiered.restart("[FLOPPY]", "fast");
    JsonNode node = cluster.nodeBeans(0, "Hadoop:service=NodeManager,name=TempTier").path(0);
    assertNotEquals("ACTIVE", node.path("tag.Mode").asText(), node.toString());
    assertTrue(
        cluster.nodeManagers().get(0).logged("FLOPPY"), "the log names the value that is wrong");
    input.sort(tiered.nextOutput()).unharmed();
  }
}
