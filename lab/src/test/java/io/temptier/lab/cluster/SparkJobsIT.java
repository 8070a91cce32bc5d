// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.NeedsLoopDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
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
    cluster.close();
    disk.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[NVME:40m]", "[NVME]"})
  void digestsAreStocksForAnyRoomOnTheFastTier(String tag) throws Exception {
    cluster.restart(new ClusterSpec.Dir(tag, fast.resolve("local")));
    SparkCluster.Seen seen = cluster.runTiered(SparkCluster.ALL, Map.of());
    assertEquals(0, seen.result().tasks().failed(), "attempts failed");
    assertTrue(seen.fastBytes() > 0, "the fast tier was not used");
    if (tag.equals("[NVME]")) {
      assertEquals(0, seen.slowBytes(), "an unlimited tier takes everything");
    } else {
      assertTrue(seen.slowBytes() > 0, "the fast tier filled, so some went down");
    }
  }
}
