// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Texts;
import io.temptier.testing.FakeKernel;
import io.temptier.tier.text.Finding;
import io.temptier.tier.text.Finding.Severity;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dirs in memory on a machine of 32 GiB, whose tmpfs holds 8 GiB. */
class MemoryCheckTest {
  private static final String MEMORY = YarnConfiguration.NM_PMEM_MB;
  private static final String RESERVED = YarnConfiguration.NM_SYSTEM_RESERVED_PMEM_MB;
  private static final Map<String, String> KEYS =
      Map.of(
          "memory",
          MEMORY,
          "reserved",
          RESERVED,
          "detect",
          YarnConfiguration.NM_ENABLE_HARDWARE_CAPABILITY_DETECTION);

  private final FakeKernel kernel;
  private final Path ram;
  private final Path disk;

  MemoryCheckTest(@TempDir Path dir) {
    kernel = new FakeKernel(dir).memory(32L << 30).disk("sda", "8:0", 1);
    ram = kernel.mount("ram", "0:40", "tmpfs", "tmpfs", "rw");
    disk = kernel.mount("hdd", "8:0", "ext4", "/dev/sda", "rw");
    kernel.sized(path -> path.startsWith(ram) ? 8L << 30 : 1L << 40);
  }

  /** What is said of memory, of the dirs tagged so; two properties at most. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[NVME]$DISK; memory=65536;",
        "[RAM_DISK]$RAM,[DISK]$DISK; memory=24576;",
        "[RAM_DISK]$RAM; ;",
        "[RAM_DISK]$RAM,[DISK]$DISK; memory=24577; swaps or kills|less than 24576|may hold 8 GiB,"
            + "|the machine has 32 GiB",
        // The tag does not hide that it is memory.
        "[NVME]$RAM; memory=30000; RAM_DISK dirs",
        // A file system counts once, and no more than its caps.
        "[RAM_DISK]$RAM/a,[RAM_DISK]$RAM/b; memory=32000; may hold 8 GiB,",
        "[RAM_DISK:1g]$RAM/a,[RAM_DISK:2g]$RAM/b; memory=32000; may hold 3 GiB,",
        "[RAM_DISK:90g]$RAM; memory=32000; may hold 8 GiB,",
        // Memory that YARN detects is counted as YARN does.
        "[RAM_DISK]$RAM; detect=true; " + RESERVED + "|25.6 GiB|more than 8192",
        "[RAM_DISK]$RAM; detect=true reserved=8192;",
        "[RAM_DISK]$RAM; detect=true memory=1024;",
      })
  void dirsInMemoryAreCounted(String dirs, @Nullable String settings, @Nullable String says) {
    String tagged = dirs.replace("$RAM", ram.toString()).replace("$DISK", disk.toString());
    Configuration conf = new Configuration(false);
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, tagged.replaceAll("\\[[^]]*\\]", ""));
    conf.set(TierKey.LOCAL_DIRS.key(), tagged);
    for (String setting : settings == null ? new String[0] : settings.split(" ", -1)) {
      String[] words = setting.split("=", -1);
      conf.set(Objects.requireNonNull(KEYS.get(words[0])), words[1]);
    }
    List<Finding> found =
        TierConfig.resolve(conf, kernel.classifier()).findings().stream()
            .filter(finding -> finding.key().equals(MEMORY) || finding.key().equals(RESERVED))
            .toList();
    assertEquals(says == null ? 0 : 1, found.size(), found::toString);
    if (says != null) {
      assertEquals(Severity.WARNING, found.get(0).severity(), found::toString);
      Texts.has(found.get(0).toString(), says.split("[|]", -1));
    }
  }

  @Test
  void withoutMeminfoNothingIsSaid(@TempDir Path empty) {
    assertTrue(new FakeKernel(empty).classifier().memoryBytes().isEmpty());
  }

  @Test
  void nothingIsToBeSetBelowNought() {
    kernel.memory(4L << 30);
    Configuration conf = new Configuration(false);
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, ram + "," + disk);
    String said = TierConfig.resolve(conf, kernel.classifier()).findings().toString();
    assertTrue(said.contains("swaps or kills containers. Give the dirs less:"), said);
    assertFalse(said.contains("Set it to"), said);
  }
}
