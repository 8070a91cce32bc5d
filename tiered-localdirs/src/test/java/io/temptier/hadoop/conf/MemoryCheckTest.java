// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Texts;
import io.temptier.testing.FakeKernel;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dirs in memory on a machine of 32 GiB, whose tmpfs holds 8 GiB. */
class MemoryCheckTest {
  private static final String MEMORY = YarnConfiguration.NM_PMEM_MB;
  private static final String RESERVED = YarnConfiguration.NM_SYSTEM_RESERVED_PMEM_MB;

  private final FakeKernel kernel;
  private final Path ram;
  private final Path disk;

  MemoryCheckTest(@TempDir Path dir) {
    kernel = new FakeKernel(dir).memory(32L << 30).disk("sda", "8:0", 1);
    ram = kernel.mount("ram", "0:40", "tmpfs", "tmpfs", "rw");
    disk = kernel.mount("hdd", "8:0", "ext4", "/dev/sda", "rw");
    kernel.sized(path -> path.startsWith(ram) ? 8L << 30 : 1L << 40);
  }

  /** What is said of memory, of the dirs tagged so. */
  private List<Finding> findings(String dirs, String... keysAndValues) {
    Configuration conf = new Configuration(false);
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, dirs.replaceAll("\\[[^]]*\\]", ""));
    conf.set(TierKey.LOCAL_DIRS.key(), dirs);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return TierConfig.resolve(conf, kernel.classifier()).findings().stream()
        .filter(finding -> finding.key().equals(MEMORY) || finding.key().equals(RESERVED))
        .toList();
  }

  private static void assertSays(List<Finding> found, Severity severity, String... words) {
    assertEquals(1, found.size(), found::toString);
    assertEquals(severity, found.get(0).severity(), found::toString);
    Texts.has(found.get(0).toString(), words);
  }

  @Test
  void nodesWithoutDirsInMemoryHearNothing() {
    assertEquals(List.of(), findings("[NVME]" + disk, MEMORY, "65536"));
  }

  @Test
  void whatFitsIsToldInNumbers() {
    assertSays(
        findings("[RAM_DISK]" + ram + ",[DISK]" + disk, MEMORY, "24576"),
        Severity.INFO,
        "may hold 8 GiB, beside 24 GiB for containers; the machine has 32 GiB");
    assertSays(findings("[RAM_DISK]" + ram), Severity.INFO, "beside 8 GiB for containers");
  }

  @Test
  void whatDoesNotFitIsAWarningWithTheRemedy() {
    assertSays(
        findings("[RAM_DISK]" + ram + ",[DISK]" + disk, MEMORY, "24577"),
        Severity.WARNING,
        "swaps or kills",
        "less than 24576");
  }

  @Test
  void theTagDoesNotHideThatItIsMemory() {
    assertSays(findings("[NVME]" + ram, MEMORY, "30000"), Severity.WARNING, "RAM_DISK dirs");
  }

  @Test
  void aFileSystemCountsOnceAndNoMoreThanItsCaps() {
    String two = "[RAM_DISK]" + ram.resolve("a") + ",[RAM_DISK]" + ram.resolve("b");
    assertSays(findings(two), Severity.INFO, "may hold 8 GiB,");
    String capped = "[RAM_DISK:1g]" + ram.resolve("a") + ",[RAM_DISK:2g]" + ram.resolve("b");
    assertSays(findings(capped), Severity.INFO, "may hold 3 GiB,");
    assertSays(findings("[RAM_DISK:90g]" + ram), Severity.INFO, "may hold 8 GiB,");
  }

  @Test
  void memoryThatYarnDetectsIsCountedAsYarnDoes() {
    String detect = YarnConfiguration.NM_ENABLE_HARDWARE_CAPABILITY_DETECTION;
    String dirs = "[RAM_DISK]" + ram;
    assertSays(
        findings(dirs, detect, "true"), Severity.WARNING, RESERVED, "25.6 GiB", "more than 8192");
    assertSays(
        findings(dirs, detect, "true", RESERVED, "8192"), Severity.INFO, "24 GiB for containers");
    assertSays(
        findings(dirs, detect, "true", MEMORY, "1024"), Severity.INFO, "1 GiB for containers");
  }

  @Test
  void withoutMeminfoNothingIsSaid(@TempDir Path empty) {
    assertTrue(new FakeKernel(empty).classifier().memoryBytes().isEmpty());
  }
}
