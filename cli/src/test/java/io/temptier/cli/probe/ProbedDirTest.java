// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.Medium;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ProbedDirTest {
  private static final ProbedDir NVME = dir("/nvme", Medium.NVME, 80, 120, true);
  private static final ProbedDir SECOND = dir("/nvme2", Medium.NVME, 90, 200, true);
  private static final ProbedDir HDD = dir("/hdd", Medium.DISK, 9_000, 30_000, true);

  @Test
  void disksThatAreWhatTheyAreCalledAreNotDoubted() {
    assertEquals(List.of(), ProbedDir.warnings(List.of(HDD, SECOND, NVME)));
    assertEquals("[NVME]/nvme", NVME.tagged());
  }

  @Test
  void aTagThatIsTooGoodIsDoubtedAndSoIsItsPlace() {
    ProbedDir worn = dir("/worn", Medium.NVME, 25_000, 50_000, true);
    ProbedDir ssd = dir("/ssd", Medium.SSD, 200, 400, true);
    List<String> warnings = ProbedDir.warnings(List.of(worn, ssd));
    assertEquals(2, warnings.size(), warnings::toString);
    assertTrue(warnings.get(0).startsWith("[NVME]/worn"), warnings::toString);
    assertTrue(warnings.get(0).contains("25000 us"), warnings::toString);
    assertTrue(
        warnings.get(1).contains("[NVME]/worn would be filled before [SSD]/ssd"),
        warnings::toString);
    assertTrue(warnings.get(1).contains("125.0 times as slow"), warnings::toString);
  }

  @Test
  void aRotatingDiskThatNeedsNoSeekIsDoubted() {
    ProbedDir flash = dir("/flash", Medium.DISK, 100, 200, true);
    assertEquals(1, ProbedDir.warnings(List.of(flash)).size());
    // The page cache answers before any disk.
    ProbedDir cached = dir("/cached", Medium.DISK, 2, 4, false);
    assertEquals(List.of(), ProbedDir.warnings(List.of(cached)));
  }

  @Test
  void memoryThatIsNoneIsDoubted() {
    ProbedDir dax = dir("/pmem", Medium.NVDIMM, 150, 300, true);
    List<String> warnings = ProbedDir.warnings(List.of(dax));
    assertTrue(warnings.get(0).contains("slower than memory"), warnings::toString);
  }

  static ProbedDir dir(String path, Medium medium, double mean, double p99, boolean direct) {
    return new ProbedDir(
        Path.of(path), medium, medium, DeviceProbe.Profile.of(direct, 300, mean, p99));
  }
}
