// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.terasort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.OtherJvm;
import io.temptier.fixtures.BeforeRelease;
import io.temptier.fixtures.NeedsSlowDisk;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A round so small that its times say nothing, whole, and killed half-way and resumed. */
@NeedsSlowDisk
@BeforeRelease
final class TeraSortBenchIT {
  private static final Path SHM = Path.of("/dev/shm");

  @TempDir private Path dir;

  @Test
  void aKilledRunLeavesItsReportAndIsResumed() throws Exception {
    Path results = dir.resolve("results");
    Path log = dir.resolve("log");
    Process bench = start(log, "--report=" + results);
    Set<ProcessHandle> started = new HashSet<>();
    try {
      awaitFirstTrial(bench, started);
      String home = home(started);
      assertTrue(mountsOf(home) >= 2, "its disks are not mounted");
      // SIGKILL: nothing of the JVM's own runs any more.
      bench.destroyForcibly();
      assertTrue(bench.waitFor(10, TimeUnit.MINUTES), "it survived SIGKILL");
      awaitNothingLeft(home, started);
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
    JsonNode report = new ObjectMapper().readTree(results.resolve("report.json").toFile());
    check(report);
    assertEquals(part.path("trials").path(0), report.path("trials").path(0));
    assertTrue(OtherJvm.read(results.resolve("report.html")).contains("<canvas"));
  }

  private static void check(JsonNode report) {
    assertEquals(2, report.path("arms").size(), report::toPrettyString);
    for (JsonNode arm : report.path("arms")) {
      assertEquals(1, arm.path("seconds").size(), arm::toPrettyString);
      assertTrue(arm.path("validated").asBoolean(), arm::toPrettyString);
      assertEquals(0, arm.path("failedTasks").asInt(), arm::toPrettyString);
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

  private static void awaitNothingLeft(String home, Set<ProcessHandle> started) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
    while (!left(home, started).isEmpty()) {
      assertTrue(System.nanoTime() < deadline, () -> "left: " + left(home, started));
      Thread.sleep(100);
    }
  }

  private static String left(String home, Set<ProcessHandle> started) {
    StringBuilder left = new StringBuilder();
    started.stream()
        .filter(ProcessHandle::isAlive)
        .forEach(one -> left.append(one.pid()).append(' '));
    if (mountsOf(home) > 0) {
      left.append("mounts ");
    }
    try (Stream<Path> loops = Files.list(Path.of("/sys/block"))) {
      loops
          .filter(loop -> OtherJvm.read(loop.resolve("loop/backing_file")).contains(home))
          .forEach(left::append);
    } catch (IOException e) {
      left.append(e);
    }
    for (Path group :
        List.of(Path.of("/sys/fs/cgroup/memory", home), Path.of("/sys/fs/cgroup", home))) {
      left.append(Files.exists(group) ? group + " " : "");
    }
    return left.append(Files.exists(SHM.resolve(home)) ? SHM.resolve(home) : "").toString();
  }

  private static long mountsOf(String home) {
    return OtherJvm.read(Path.of("/proc/self/mountinfo"))
        .lines()
        .filter(line -> line.contains(home))
        .count();
  }

  /** The name of the run's folder, as the process knows that is to remove it. */
  private static String home(Set<ProcessHandle> started) {
    return started.stream()
        .map(
            process ->
                OtherJvm.read(Path.of("/proc/" + process.pid() + "/cmdline")).split("\0", -1))
        .filter(command -> List.of(command).contains("io.temptier.lab.testbed.Janitor"))
        .map(command -> String.valueOf(Path.of(command[command.length - 2]).getFileName()))
        .findFirst()
        .orElseThrow();
  }
}
