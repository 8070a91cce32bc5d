// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.cli.Run;
import io.temptier.cli.probe.ProbeCommand.ProbedDir;
import io.temptier.tier.Medium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProbeCommandTest {
  private static final ProbedDir NVME = dir("/nvme", Medium.NVME, 80, 120, true);
  private static final ProbedDir SECOND = dir("/nvme2", Medium.NVME, 90, 200, true);
  private static final ProbedDir HDD = dir("/hdd", Medium.DISK, 9_000, 30_000, true);

  @TempDir private Path dir;

  @ParameterizedTest
  @CsvSource({
    "--seconds=0, --seconds=0 is less than 1",
    "--seconds=99999999999, '99999999999' is not an int",
    "--size=big, --size: \"big\" is not a size",
    "--size=1k, --size=1k is less than 1m",
    "[FLOPPY]/x, \"[FLOPPY]/x\" is no local dir"
  })
  void wrongUseIsRefusedWithItsValue(String argument, String message) {
    Run.of("probe", argument, dir.toString()).misused(message);
  }

  @Test
  void aDirThatIsNotThereIsAFailure() {
    Run.of("probe", dir.resolve("gone").toString()).failed("is no folder");
    Run.of("probe", "/proc").failed("/proc could not be measured: java.nio.file.");
  }

  @Test
  void aDirIsMeasuredAndNothingIsLeftInIt() throws IOException {
    Path disk = Files.createDirectory(dir.resolve("disk"));
    // Whether its kernel name is doubted is up to the machine.
    Run run =
        Run.of("probe", "--seconds=1", "--size=1m", "file://" + disk)
            .says("temptier.local-dirs = ");
    List<String> tooLong =
        run.out()
            .lines()
            .filter(line -> line.length() > 80 && !line.startsWith("temptier.local-dirs"))
            .toList();
    assertEquals(List.of(), tooLong, run::toString);
    try (var left = Files.list(disk)) {
      assertEquals(0, left.count());
    }
  }

  @Test
  void jsonHasEveryFigure() throws IOException {
    Run run = Run.of("probe", "--seconds=1", "--size=1m", "--json=-", "[SSD]" + dir);
    // The figures, and what the kernel says, are the machine's.
    String shape =
        run.out()
            .replace(dir.toString(), "DIR")
            .replaceAll(" : [-0-9.E]+", " : 0")
            .replaceAll("(\"(medium|kernel|why)\") : \".*\"", "$1 : \"...\"")
            .replaceAll("\"direct\" : (true|false)", "\"direct\" : BOOLEAN")
            .replaceAll("(?s)\"localDirs\" : \".*", "\"localDirs\" and \"warnings\"");
    Run.golden("probe.json", shape);
    run.says("\"warnings\" : [");
  }

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

  private static ProbedDir dir(
      String path, Medium medium, double mean, double p99, boolean direct) {
    return new ProbedDir(
        Path.of(path), medium, medium, DeviceProbe.Profile.of(direct, 300, mean, p99));
  }
}
