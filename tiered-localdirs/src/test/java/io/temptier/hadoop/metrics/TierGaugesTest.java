// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.tier.DirHealth;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.Reserve;
import io.temptier.tier.Tier;
import io.temptier.tier.claim.Outstanding;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.room.DirView;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TierGaugesTest {
  private static final Map<LocalDir, DirHealth> UNKNOWN = Map.of();

  private static LocalDir dir(String path, long cap) {
    return LocalDir.of(Path.of(path), Medium.NVME, cap, "tag");
  }

  private static DirView view(LocalDir dir, long total, long free, long claimed) {
    return view(dir, total, free, claimed, free - total / 10 - claimed);
  }

  private static DirView view(LocalDir dir, long total, long free, long claimed, long headroom) {
    return DirView.of(
        dir,
        Capacity.of(total, free, 0, 0),
        total / 10,
        Outstanding.of(claimed, 2, 1),
        headroom,
        false,
        total == 1000,
        0);
  }

  @Test
  void whatDirsOfOneDeviceShareCountsOnce() {
    LocalDir a = dir("/a", LocalDir.NO_CAP);
    LocalDir b = dir("/b", LocalDir.NO_CAP);
    LocalDir c = dir("/c", LocalDir.NO_CAP);
    LocalDir missing = dir("/missing", LocalDir.NO_CAP);
    LocalDir otherTier = LocalDir.of(Path.of("/x"), Medium.DISK, LocalDir.NO_CAP, "tag");
    Tier tier = Tier.of(Medium.NVME, List.of(a, b, c, missing), Reserve.DEFAULT);
    Map<LocalDir, DirHealth> health =
        Map.of(a, DirHealth.SOUND, b, DirHealth.SOUND, c, DirHealth.SLOW, missing, DirHealth.HUNG);
    TierGauges gauges =
        TierGauges.of(
            tier,
            List.of(
                List.of(view(a, 1000, 600, 30), view(b, 1000, 600, 20), view(otherTier, 9, 9, 9)),
                List.of(view(c, 5000, 4000, 1)),
                List.of()),
            health::get);
    assertEquals(4, gauges.value(TierCounter.DIRS));
    assertEquals(1, gauges.value(TierCounter.DIRS_FAILED));
    assertEquals(1, gauges.value(TierCounter.DIRS_SLOW));
    assertEquals(1, gauges.value(TierCounter.DIRS_HUNG));
    assertEquals(2, gauges.value(TierCounter.DIRS_DRAINING));
    assertEquals(6000, gauges.value(TierCounter.CAPACITY_BYTES));
    assertEquals(4600, gauges.value(TierCounter.FREE_BYTES));
    assertEquals(600, gauges.value(TierCounter.RESERVE_BYTES));
    assertEquals(51, gauges.value(TierCounter.CLAIMED_BYTES));
    assertEquals(6, gauges.value(TierCounter.CLAIMS));
    assertEquals(3, gauges.value(TierCounter.CLAIMS_IGNORED));
    assertEquals(480 + 3499, gauges.value(TierCounter.HEADROOM_BYTES));
  }

  @Test
  void capsBoundTheSize() {
    LocalDir a = dir("/a", 100);
    LocalDir b = dir("/b", 200);
    Tier tier = Tier.of(Medium.NVME, List.of(a, b), Reserve.DEFAULT);
    TierGauges gauges =
        TierGauges.of(
            tier, List.of(List.of(view(a, 1000, 600, 0), view(b, 1000, 600, 0))), UNKNOWN::get);
    assertEquals(300, gauges.value(TierCounter.CAPACITY_BYTES));
  }

  /** Beside a cap of 200 neither 600 free bytes nor their reserve make sense. */
  @Test
  void whatIsFreeAndReservedOfACapIsWithinTheCap() {
    LocalDir capped = dir("/a", 200);
    Tier tier = Tier.of(Medium.NVME, List.of(capped), Reserve.DEFAULT);
    DirView boundByCap = view(capped, 1000, 600, 30, 120);
    DirView boundByReserve = view(capped, 1000, 150, 30, 20);
    for (DirView view : List.of(boundByCap, boundByReserve)) {
      TierGauges gauges = TierGauges.of(tier, List.of(List.of(view)), UNKNOWN::get);
      long free = view.headroomBytes() + 30;
      assertEquals(200, gauges.value(TierCounter.CAPACITY_BYTES));
      assertEquals(free, gauges.value(TierCounter.FREE_BYTES));
      assertEquals(0, gauges.value(TierCounter.RESERVE_BYTES));
      assertEquals(free, TierGauges.of(view).value(TierCounter.FREE_BYTES));
      assertEquals(0, TierGauges.of(view).value(TierCounter.RESERVE_BYTES));
    }
  }

  @Test
  void aTierWithoutReadableDirsIsAllZero() {
    Tier tier = Tier.of(Medium.NVME, List.of(dir("/a", 100)), Reserve.DEFAULT);
    TierGauges gauges = TierGauges.of(tier, List.of(), UNKNOWN::get);
    assertEquals(1, gauges.value(TierCounter.DIRS_FAILED));
    assertEquals(0, gauges.value(TierCounter.CAPACITY_BYTES));
    assertEquals(0, gauges.value(TierCounter.HEADROOM_BYTES));
  }
}
