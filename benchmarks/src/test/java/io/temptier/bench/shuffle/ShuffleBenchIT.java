// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.bench.OtherJvm;
import io.temptier.fixtures.Needs.NeedsSlowDisk;
import io.temptier.lab.testbed.TestbedHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user runs it, with small sizes: what it prints, and that nothing is left. */
final class ShuffleBenchIT {
  private static final Pattern HOME = Pattern.compile("/\\S*/" + TestbedHome.PREFIX + "\\d+");

  @TempDir private Path dir;

  @Test
  void bothHandlersAreMeasuredOnOneDiskAndNothingIsLeft() throws Exception {
    bothAreMeasured(false, dirs());
  }

  @Test
  @NeedsSlowDisk
  void bothHandlersAreMeasuredInEveryScenarioAndNothingIsLeft() throws Exception {
    bothAreMeasured(true, "--set=slowIops=100");
  }

  private String dirs() throws IOException {
    return "--dirs=[NVME]%s,[DISK]%s"
        .formatted(
            Files.createDirectory(dir.resolve("fast")), Files.createDirectory(dir.resolve("slow")));
  }

  private void bothAreMeasured(boolean emulated, String disks) throws Exception {
    JsonNode result =
        OtherJvm.bench(
            dir,
            "shuffle --rounds=1 --set=partitions=8 --set=passSize=8m --set=seconds=1 " + disks);
    Set<String> arms = new TreeSet<>();
    for (JsonNode arm : result.path("arms")) {
      arms.add(arm.path("name").asText() + " " + arm.path("setting").asText());
      for (String figure : List.of("p50Millis", "p99Millis", "p999Millis", "mbPerSecond")) {
        assertTrue(arm.path(figure).asDouble() > 0, () -> figure + " of " + arm);
      }
      assertTrue(arm.path("peakMemoryBytes").asLong() > 10 << 20, arm::toString);
    }
    assertEquals(
        Set.of(
            "stock all-fast",
            "temptier all-fast",
            "stock mixed",
            "temptier mixed",
            "stock all-slow",
            "temptier all-slow"),
        arms);
    assertEquals(5, result.path("goals").size());
    for (JsonNode goal : result.path("goals")) {
      assertTrue(goal.hasNonNull("id") && goal.hasNonNull("goal"), goal::toString);
      assertTrue(goal.path("measured").isNumber(), goal::toString);
      assertTrue(goal.path("met").isBoolean(), goal::toString);
    }
    String slowDisk = result.path("facts").path("slow disk").asText();
    assertEquals(emulated, slowDisk.contains("/dev/loop"), slowDisk);
    assertTrue(result.path("facts").path("command").asText().contains("bench run shuffle"));
    String said = OtherJvm.read(dir.resolve("log"));
    Matcher home = HOME.matcher(said);
    assertTrue(home.find(), said);
    assertFalse(Files.exists(Path.of(home.group())), home::group);
    assertFalse(OtherJvm.read(Path.of("/proc/self/mountinfo")).contains(home.group()));
  }
}
