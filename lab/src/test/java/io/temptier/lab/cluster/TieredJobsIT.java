// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
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
    tiered = new TieredCluster("tiered-jobs-", true);
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
  void aBrokenConfigurationLeavesTheNodeManagerOnStockBehaviour() throws Exception {
    tiered.restart("[FLOPPY]", "fast");
    JsonNode node = cluster.nodeBeans(0, "Hadoop:service=NodeManager,name=TempTier").path(0);
    assertNotEquals("ACTIVE", node.path("tag.Mode").asText(), node.toString());
    assertTrue(
        cluster.nodeManagers().get(0).logged("FLOPPY"), "the log names the value that is wrong");
    input.sort(tiered.nextOutput()).unharmed();
  }
}
