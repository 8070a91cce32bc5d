// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.testing.FakeKernel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskStatsTest {
  @Test
  void readsTheFieldsThatTheKernelDocuments() {
    DiskStats stats =
        DiskStats.parse(
            """
               7       0 loop0 0 0 0 0 0 0 0 0 0 0 0
             254       0 vda 100 25832 4000 28000 20 30866 1000 4000 3 11988 33584 3748 28 191144 2 4 8
             259       1 cciss/c0d0 1 2 3 4 5 6 7 8 9 10 11
            """);
    assertEquals(
        Map.of(
            "loop0",
            DiskLoad.NONE,
            "vda",
            DiskLoad.of(120, 32_000, 5000 * 512, 11_988, 1000 * 512, 3),
            "cciss!c0d0",
            DiskLoad.of(6, 12, 10 * 512, 10, 7 * 512, 9)),
        stats.disks());
    assertEquals(32_000.0 / 120, stats.disks().getOrDefault("vda", DiskLoad.NONE).awaitMillis());
  }

  @Test
  void passesOverLinesOfOtherForms() {
    assertEquals(Map.of(), DiskStats.parse("").disks());
    assertEquals(Set.of(), DiskStats.parse("8 1 sda1 1 2 3 4\n").disks().keySet());
    assertEquals(Set.of(), DiskStats.parse("8 0 sda a b c d e f g h i j k\n").disks().keySet());
    assertEquals(
        Set.of(),
        DiskStats.parse("8 0 sda 1 2 3 99999999999999999999 5 6 7 8 9 10 11").disks().keySet());
  }

  @Test
  void aDiskThatIsNewOrBeganAnewIsNotKnownToHaveDoneAnything() {
    DiskStats before =
        DiskStats.parse("8 0 sda 9 0 9 9 9 0 9 9 0 9 9\n8 16 sdb 9 0 9 9 9 0 9 9 0 9 9");
    DiskStats after =
        DiskStats.parse(
            """
            8 0 sda 19 0 19 19 19 0 19 19 4 19 19
            8 16 sdb 10 0 10 10 10 0 10 1 0 10 10
            8 32 sdc 1 0 1 1 1 0 1 1 0 1 1
            """);
    assertEquals(
        Map.of("sda", DiskLoad.of(20, 20, 20 * 512, 10, 10 * 512, 4)), after.since(before));
    assertEquals(Map.of(), before.since(after));
  }

  /** The kernel names a path after its subsystem, its controller and its namespace. */
  private static final String MULTIPATH =
      """
       259       1 nvme0n1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
       259       0 nvme0c0n1 120450 11 9635880 25110 88300 140 22604800 91200 0 60100 116310 0 0 0 0 0 0
       259       2 nvme0c1n1 300 0 2400 60 0 0 0 0 0 55 60 0 0 0 0 0 0
         8       0 sda 4021 12 321680 40110 2210 901 176800 70110 1 33100 110220 0 0 0 0 0 0
      """;

  @Test
  void anNvmeDiskWithPathsDidWhatItsPathsDid() {
    DiskLoad both =
        DiskLoad.of(
            209_050, 116_370, (9_638_280 + 22_604_800L) * 512, 60_155, 22_604_800L * 512, 0);
    DiskLoad sda = DiskLoad.of(6_231, 110_220, 498_480L * 512, 33_100, 176_800L * 512, 1);
    assertEquals(Map.of("nvme0n1", both, "sda", sda), DiskStats.parse(MULTIPATH).disks());
    // A kernel since 6.2 counts at the disk, too.
    assertEquals(
        both,
        DiskStats.parse(
                MULTIPATH.replace("nvme0n1 0 0 0 0 0", "nvme0n1 120000 0 9600000 25000 80000"))
            .disks()
            .get("nvme0n1"));
  }

  @Test
  void aPathThatComesOrGoesHidesNothingOfTheOthers() {
    DiskStats one = DiskStats.parse("259 1 nvme1n2 0 0 0 0 0 0 0 0 0 0 0\n" + path(0, 10));
    DiskStats two =
        DiskStats.parse("259 1 nvme1n2 0 0 0 0 0 0 0 0 0 0 0\n" + path(0, 14) + path(3, 50));
    assertEquals(4, two.since(one).getOrDefault("nvme1n2", DiskLoad.NONE).ios());
    DiskStats three = DiskStats.parse("259 1 nvme1n2 0 0 0 0 0 0 0 0 0 0 0\n" + path(3, 57));
    assertEquals(7, three.since(two).getOrDefault("nvme1n2", DiskLoad.NONE).ios());
    assertEquals(Map.of(), three.since(one), "no path that is known to have done anything");
  }

  private static String path(int controller, int reads) {
    return "259 9 nvme1c%dn2 %d 0 8 1 0 0 0 0 0 1 1%n".formatted(controller, reads);
  }

  @Test
  void aKernelThatTellsNothingIsNoError(@TempDir Path folder) throws IOException {
    FakeKernel kernel = new FakeKernel(folder);
    assertEquals(Optional.empty(), kernel.classifier().diskStats());
    kernel.diskstats("8 0 sda 9 0 9 9 9 0 9 9 0 9 9");
    assertEquals(Set.of("sda"), kernel.classifier().diskStats().orElseThrow().disks().keySet());
  }
}
