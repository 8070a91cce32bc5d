// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.tier.Layouts;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.kernel.DiskLoad;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecentTrafficTest {
  private static final long MB = 1 << 20;
  private static final LocalDir A = Layouts.dir(Path.of("/a"), Medium.DISK);
  private static final LocalDir B = Layouts.dir(Path.of("/b"), Medium.DISK);
  private static final LocalDir C = Layouts.dir(Path.of("/c"), Medium.DISK);
  private static final Map<LocalDir, Set<String>> APART =
      Map.of(A, Set.of("sda"), B, Set.of("sdb"));

  private final RecentTraffic traffic = new RecentTraffic();

  private static DiskLoad moved(long readMb, long writtenMb) {
    return DiskLoad.of(1, 1, (readMb + writtenMb) * MB, 1, writtenMb * MB, 0);
  }

  @Test
  void whatWaitsInThePageCacheCountsLikeWhatWasWritten() {
    Map<String, DiskLoad> done = Map.of("sda", moved(0, 60), "sdb", moved(0, 10));
    assertEquals(
        Map.of(A, 60 * MB, B, 60 * MB),
        traffic.after(0, APART, done, Map.of(A, 60 * MB, B, 60 * MB)));
    // Now it is written; nothing counts twice.
    done = Map.of("sdb", moved(0, 50));
    assertEquals(Map.of(A, 60 * MB, B, 60 * MB), traffic.after(0, APART, done, Map.of()));
  }

  @Test
  void fadesByHalfInAHalfLife() {
    traffic.after(1, APART, Map.of("sda", moved(64, 64)), Map.of(B, 3 * MB));
    Map<LocalDir, Long> none = Map.of();
    assertEquals(
        Map.of(A, 64 * MB, B, 2 * MB),
        traffic.after(RecentTraffic.HALF_LIFE_SECONDS, APART, Map.of(), none));
    assertEquals(
        Map.of(A, 16 * MB),
        traffic.after(2 * RecentTraffic.HALF_LIFE_SECONDS, APART, Map.of(), none));
    assertEquals(Map.of(), traffic.after(1e9, APART, Map.of(), none));
  }

  @Test
  void dirsOnOneDiskHaveItsTrafficInCommon() {
    Map<LocalDir, Set<String>> devices = Map.of(A, Set.of("sda"), B, Set.of("sda"), C, Set.of());
    Map<String, DiskLoad> done = Map.of("sda", moved(10, 0));
    Map<LocalDir, Long> given = Map.of(A, 4 * MB, B, 5 * MB, C, 6 * MB);
    assertEquals(Map.of(A, 19 * MB, B, 19 * MB, C, 6 * MB), traffic.after(1, devices, done, given));
  }

  @Test
  void aDirOnSeveralDisksHasTheTrafficOfAll() {
    Map<LocalDir, Set<String>> devices = Map.of(A, Set.of("sda", "sdb"));
    Map<String, DiskLoad> done = Map.of("sda", moved(10, 0), "sdb", moved(0, 7));
    assertEquals(Map.of(A, 17 * MB), traffic.after(1, devices, done, Map.of()));
  }
}
