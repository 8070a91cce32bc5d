// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.FileKind;
import io.temptier.tier.Medium;
import io.temptier.tier.journal.PlacementRecord;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real DAGs of Tez in real containers, their output compared with stock Hadoop's. The sessions have
 * no property of TempTier's.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TezJobsIT {
  private static final List<FileKind> DATA =
      List.of(FileKind.SPILL, FileKind.MAP_OUTPUT, FileKind.FETCHED_SEGMENT, FileKind.MERGE);

  @AutoClose private final TezCluster cluster;

  TezJobsIT() throws IOException, InterruptedException {
    cluster = new TezCluster();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[NVME:40m]", "[NVME]"})
  void outputIsStocksForAnyRoomOnTheFastTier(String fastTag) throws Exception {
    cluster.restart(fastTag);
    TezSite.Session session =
        cluster.runAsStock(1, Map.of("tez.runtime.optimize.local.fetch", "false"));
    assertEquals(0, session.failedAttempts(), "attempts failed");
    assertEquals(0, session.counter(TezCluster.LOCAL), "it read past the handler");
    long served = cluster.served(Medium.NVME) + cluster.served(Medium.DISK);
    assertTrue(served > 2 * TezCluster.EDGE_BYTES, "the handler served " + served);

    TaskPlacements placements = cluster.placements(session);
    for (FileKind kind : DATA) {
      assertTrue(!placements.of(kind).isEmpty(), () -> "no file of kind " + kind);
    }
    assertEquals(List.of(), placements.of(FileKind.OTHER), "files of an unknown kind");
    assertEquals(List.of(), placements.notPlaced());
    // Also of the sorted ones, for which Tez gives none.
    assertTrue(
        placements.of(FileKind.MAP_OUTPUT).stream().allMatch(PlacementRecord::sizeKnown),
        "an output of no size");
    long slow = DATA.stream().mapToLong(kind -> placements.of(kind, Medium.DISK)).sum();
    Map<String, Long> counted = session.placed();
    long bytes = counted.getOrDefault("NVME_BYTES", 0L) + counted.getOrDefault("DISK_BYTES", 0L);
    assertTrue(bytes > 2 * TezCluster.EDGE_BYTES, "Tez counts " + bytes);
    assertTrue(counted.containsKey("NVME_FILES"), "the fast tier was not used");
    if (fastTag.equals("[NVME]")) {
      assertEquals(0, slow, "an unlimited tier takes everything");
      assertFalse(counted.containsKey("DISK_FILES"));
      assertEquals(0, cluster.served(Medium.DISK));
    } else {
      assertTrue(slow > 0, "the fast tier filled, so some went down");
      assertTrue(counted.containsKey("DISK_FILES"), "some went down");
      assertTrue(placements.of(FileKind.SPILL, Medium.NVME) > 0, "the fast tier was not used");
    }
  }
}
