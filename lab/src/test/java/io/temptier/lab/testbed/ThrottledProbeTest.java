// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.cli.main.Main;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsSlowDisk;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Help.Ansi;

/** {@code temptier probe} on emulated disks. */
@NeedsSlowDisk
final class ThrottledProbeTest {
  @TempDir private Path dir;

  @Test
  void aThrottledDiskIsTheSlowTierWhateverItsTagSays() throws IOException {
    Path json = dir.resolve("json");
    try (TestbedHome home = TestbedHome.create(dir);
        EmulatedDisk fast = EmulatedDisk.create(home.path(), "fast", 32 << 20);
        EmulatedDisk slow = EmulatedDisk.create(home.path(), "slow", 32 << 20)) {
      slow.limit(new DiskSpeed(20, 8));
      String[] args = {
        "probe",
        "--seconds=1",
        "--size=8m",
        "--json=" + json,
        "[NVME]" + slow.mount(),
        "[SSD]" + fast.mount()
      };
      StringWriter said = new StringWriter();
      PrintWriter writer = new PrintWriter(said);
      // Where many want the cores the fast disk's requests wait as long as the slow one's.
      Eventually.holds(
          "the slow disk comes last",
          () -> {
            Files.deleteIfExists(json);
            assertEquals(1, Main.run(writer, writer, Ansi.OFF, args), said::toString);
            JsonNode last = new ObjectMapper().readTree(json.toFile()).at("/dirs/1/path");
            return last.asText().equals(slow.mount().toString());
          });
      JsonNode root = new ObjectMapper().readTree(json.toFile());
      assertEquals(fast.mount().toString(), root.at("/dirs/0/path").asText());
      JsonNode second = root.path("dirs").path(1);
      // 8 requests a second take 125 ms each in the mean; the kernel lets some through at once.
      double mean = second.path("profile").path("meanMicros").asDouble();
      assertTrue(mean > 10_000, () -> "mean: " + mean);
      double perSecond = second.path("profile").path("requestsPerSecond").asDouble();
      assertTrue(perSecond < 80, () -> "requests a second: " + perSecond);
      String warnings = root.path("warnings").toString();
      assertTrue(warnings.contains("tag it [DISK]"), warnings);
      try (var left = Files.list(slow.mount())) {
        assertTrue(left.noneMatch(file -> file.toString().contains("probe")), "its file is left");
      }
    }
  }
}
