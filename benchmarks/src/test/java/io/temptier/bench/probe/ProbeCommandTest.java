/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.temptier.bench.testbed.DiskSpeed;
import io.temptier.bench.testbed.EmulatedDisk;
import io.temptier.bench.testbed.TestbedHome;
import io.temptier.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Help.Ansi;

final class ProbeCommandTest {
  @TempDir private Path dir;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource({
    "--seconds=0, --seconds=0 is less than 1",
    "--size=big, --size: \"big\" is not a size",
    "--size=1k, --size=1k is less than 1m",
    "[FLOPPY]/x, \"[FLOPPY]/x\" is no local dir"
  })
  void wrongUseIsRefusedWithItsValue(String argument, String message) {
    assertEquals(2, run("bench", "probe", argument, dir.toString()));
    assertTrue(err.toString().contains(message), err.toString());
  }

  @Test
  void aDirThatIsNotThereIsAFailure() {
    assertEquals(1, run("bench", "probe", dir.resolve("gone").toString()));
    assertTrue(err.toString().contains("is no folder"), err.toString());
  }

  @Test
  void aThrottledDiskIsTheSlowTierWhateverItsTagSays() throws IOException {
    assumeTrue(EmulatedDisk.hindrance().isEmpty());
    Path json = dir.resolve("json");
    try (TestbedHome home = TestbedHome.create(dir);
        EmulatedDisk fast = EmulatedDisk.create(home, "fast", 32 << 20);
        EmulatedDisk slow = EmulatedDisk.create(home, "slow", 32 << 20)) {
      assumeTrue(slow.slowForAll(), "this kernel slows groups of processes only");
      slow.limit(new DiskSpeed(20, 8));
      String[] args = {
        "bench",
        "probe",
        "--seconds=1",
        "--size=8m",
        "--json=" + json,
        "[NVME]" + slow.mount(),
        "[SSD]" + fast.mount()
      };
      JsonNode root = MissingNode.getInstance();
      // Where many want the cores the fast disk's requests wait as long as the slow one's.
      long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
      while (root.path("dirs").path(1).path("tier").asInt() != 2 && System.nanoTime() < deadline) {
        Files.deleteIfExists(json);
        assertEquals(1, run(args), () -> out + "" + err);
        root = new ObjectMapper().readTree(json.toFile());
      }
      JsonNode first = root.path("dirs").path(0);
      JsonNode second = root.path("dirs").path(1);
      assertEquals(fast.mount().toString(), first.path("path").asText());
      assertEquals(slow.mount().toString(), second.path("path").asText());
      assertEquals(2, second.path("tier").asInt());
      // 8 requests a second take 125 ms each in the mean; the kernel lets some through at once.
      double mean = second.path("profile").path("mix").path("mean").asDouble();
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

  private int run(String... args) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), Ansi.OFF, args);
  }
}
