// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.OtherJvm;
import io.temptier.fixtures.BeforeRelease;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsSlowDisk;
import io.temptier.lab.process.Shell;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A round so small that its times say nothing, whole, and killed half-way and resumed. */
@NeedsSlowDisk
@BeforeRelease
final class TeraSortBenchIT {
  @TempDir private Path dir;

  @Test
  void aKilledRunLeavesItsReportAndIsResumed() throws Exception {
    Path results = dir.resolve("results");
    Path log = dir.resolve("log");
    Process bench = start(log, "--report=" + results);
    Set<ProcessHandle> started = new HashSet<>();
    try {
      awaitFirstTrial(bench, started);
      Path home = home(started);
      assertTrue(left(home).contains("mountinfo"), "its disks are not mounted");
      // SIGKILL: nothing of the JVM's own runs any more.
      bench.destroyForcibly();
      assertTrue(bench.waitFor(10, TimeUnit.MINUTES), "it survived SIGKILL");
      Eventually.holds(
          "nothing is left",
          () -> started.stream().noneMatch(ProcessHandle::isAlive) && left(home).isEmpty());
    } finally {
      bench.destroyForcibly();
    }
    JsonNode part = new ObjectMapper().readTree(results.resolve("report.json").toFile());
    assertEquals("stock-hdd", part.path("trials").path(0).path("arm").asText());
    Process again = start(log, "--resume=" + results);
    try (BufferedReader out = again.inputReader(StandardCharsets.UTF_8)) {
      List<String> lines = out.lines().toList();
      assertEquals(0, again.waitFor(), () -> String.join("\n", lines) + OtherJvm.read(log));
    } finally {
      again.destroyForcibly();
    }
    JsonNode report = OtherJvm.report(results);
    check(report);
    assertEquals(part.path("trials").path(0), report.path("trials").path(0));
  }

  private static void check(JsonNode report) {
    assertEquals(2, report.path("arms").size(), report::toPrettyString);
    for (JsonNode arm : report.path("arms")) {
      boolean tiered = arm.path("name").asText().equals("temptier");
      assertEquals(tiered, arm.path("peakFastBytes").asLong() > 0, arm::toPrettyString);
    }
    JsonNode counters = report.path("trials").path(1).path("counters");
    assertTrue(counters.path("NVME_BYTES").asLong() > 0, counters::toString);
    JsonNode goal = report.path("goals").path(0);
    assertEquals("e1-vs-hdd", goal.path("id").asText());
    assertTrue(goal.path("measured").isNumber(), goal::toString);
  }

  private static Process start(Path log, String folder) throws IOException {
    List<String> command =
        List.of(
            ("bench run e1 --rounds=1 --arms=stock-hdd,temptier --set rows=200000 --set block=10m"
                    + " --set slowMbps=200 --set slowIops=2000 "
                    + folder)
                .split(" ", -1));
    return OtherJvm.temptier(command).redirectError(log.toFile()).start();
  }

  /** Waits until one arm is done, so that its report is there. */
  private static void awaitFirstTrial(Process bench, Set<ProcessHandle> started)
      throws IOException {
    BufferedReader out = bench.inputReader(StandardCharsets.UTF_8);
    String line = "";
    while (line != null && !line.contains("round 1, stock-hdd")) {
      line = out.readLine();
      bench.descendants().forEach(started::add);
    }
    assertFalse(line == null, "it ended early");
    bench.descendants().forEach(started::add);
    assertTrue(started.size() >= 5, () -> "processes: " + started);
  }

  /** Where something of a run is seen. */
  private static String left(Path home) throws IOException {
    String name = home.getFileName().toString();
    return Shell.run(
            "sh",
            "-c",
            "grep -ls $1 /proc/self/mountinfo /sys/block/loop*/loop/backing_file; ls -d /dev/shm/$1"
                + " /sys/fs/cgroup/$1 /sys/fs/cgroup/memory/$1 $2 2> /dev/null; true",
            "sh",
            name,
            home.toString())
        .strip();
  }

  /** The run's folder, as the process knows that is to remove it. */
  private static Path home(Set<ProcessHandle> started) {
    return started.stream()
        .map(
            process ->
                OtherJvm.read(Path.of("/proc/" + process.pid() + "/cmdline")).split("\0", -1))
        .filter(command -> List.of(command).contains("io.temptier.lab.testbed.Janitor"))
        .map(command -> Path.of(command[command.length - 2]))
        .findFirst()
        .orElseThrow();
  }
}
