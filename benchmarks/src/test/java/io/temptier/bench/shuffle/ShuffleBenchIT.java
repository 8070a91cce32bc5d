// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.OtherJvm;
import io.temptier.fixtures.NeedsSlowDisk;
import io.temptier.lab.testbed.TestbedHome;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user runs it, with small sizes: what it prints, and that nothing is left. */
final class ShuffleBenchIT {
  private static final Pattern HOME = Pattern.compile("/\\S*/" + TestbedHome.PREFIX + "\\d+");
  private static final Pattern DEVICE = Pattern.compile("/dev/(loop\\d+)");
  private static final Path LIMITS = Path.of("/sys/fs/cgroup/blkio/blkio.throttle.read_bps_device");

  @TempDir private Path dir;

  private final Set<ProcessHandle> started = new HashSet<>();

  @AfterEach
  void endAll() {
    started.forEach(ProcessHandle::destroyForcibly);
  }

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
    Path json = dir.resolve("result.json");
    Process bench =
        bench(disks, "--set=seconds=1", "--json=" + json, "--report=" + dir.resolve("report"));
    while (!bench.waitFor(50, TimeUnit.MILLISECONDS)) {
      bench.descendants().forEach(started::add);
    }
    assertEquals(0, bench.exitValue(), this::log);
    JsonNode result = new ObjectMapper().readTree(json.toFile());
    Set<String> arms = new TreeSet<>();
    for (JsonNode arm : result.path("arms")) {
      arms.add(arm.path("name").asText() + " " + arm.path("setting").asText());
      for (String figure : List.of("p50Millis", "p99Millis", "p999Millis", "mbPerSecond")) {
        assertTrue(arm.path(figure).asDouble() > 0, () -> figure + " of " + arm);
      }
      assertTrue(arm.path("peakMemoryBytes").asLong() > 10 << 20, arm::toString);
      assertEquals(1, arm.path("seconds").size());
    }
    assertEquals(
        Set.of(
            "stock all-fast",
            "temptier all-fast",
            "stock mixed",
            "temptier mixed",
            "stock all-slow",
            "temptier all-slow"),
        arms,
        this::log);
    assertEquals(5, result.path("goals").size());
    for (JsonNode goal : result.path("goals")) {
      assertTrue(goal.hasNonNull("id") && goal.hasNonNull("goal"), goal::toString);
      assertTrue(goal.path("measured").isNumber(), goal::toString);
      assertTrue(goal.path("met").isBoolean(), goal::toString);
    }
    String slowDisk = result.path("facts").path("slow disk").asText();
    assertEquals(emulated, slowDisk.contains("/dev/loop"), slowDisk);
    for (String file : List.of("report.html", "report.json")) {
      assertTrue(Files.size(dir.resolve("report").resolve(file)) > 0, file);
    }
    assertTrue(result.path("facts").path("command").asText().contains("bench run shuffle"));
    assertTrue(log().contains("Goals"), this::log);
    assertFalse(started.isEmpty());
    assertNothingLeft();
  }

  @Test
  void nothingOutlivesACommandThatIsKilled() throws Exception {
    nothingOutlives(false, dirs());
  }

  @Test
  @NeedsSlowDisk
  void noDiskOutlivesACommandThatIsKilled() throws Exception {
    nothingOutlives(true, "--set=slowIops=100");
  }

  private void nothingOutlives(boolean emulated, String disks) throws Exception {
    Process bench =
        bench(disks, "--set=seconds=3", "--set=maps=16", "--report=" + dir.resolve("report"));
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
    // The janitor and both handlers: by then the disks are mounted and slow.
    while (bench.descendants().filter(ShuffleBenchIT::serves).count() < 2) {
      assertTrue(bench.isAlive(), () -> "ended early: " + log());
      assertTrue(System.nanoTime() < deadline, () -> "no handlers: " + log());
      Thread.sleep(50);
    }
    bench.descendants().forEach(started::add);
    Path home = home();
    assertTrue(Files.exists(home), home.toString());
    assertEquals(emulated, !devicesBelow(home).isEmpty());
    bench.destroyForcibly().waitFor();
    deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
    while (Files.exists(home) || started.stream().anyMatch(ProcessHandle::isAlive)) {
      assertTrue(System.nanoTime() < deadline, () -> home + " or a process is left");
      Thread.sleep(50);
    }
    assertNothingLeft();
  }

  private Process bench(String... options) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "bench",
                "run",
                "shuffle",
                "--rounds=1",
                "--set=partitions=8",
                "--set=passSize=8m"));
    command.addAll(List.of(options));
    Process process = OtherJvm.temptier(dir.resolve("log"), command);
    started.add(process.toHandle());
    return process;
  }

  private void assertNothingLeft() throws IOException {
    Path home = home();
    assertFalse(Files.exists(home), home.toString());
    assertEquals(List.of(), devicesBelow(home));
    assertFalse(Files.readString(Path.of("/proc/self/mountinfo")).contains(home.toString()));
    assertEquals(List.of(), started.stream().filter(ProcessHandle::isAlive).toList());
    Matcher devices = DEVICE.matcher(log());
    while (devices.find()) {
      Path sys = Path.of("/sys/block", devices.group(1));
      // Somebody else may have got the device by now.
      if (!Files.exists(sys.resolve("loop/backing_file")) && Files.exists(LIMITS)) {
        String numbers = Files.readString(sys.resolve("dev")).trim() + " ";
        assertFalse(
            Files.readAllLines(LIMITS).stream().anyMatch(line -> line.startsWith(numbers)),
            () -> "a limit is left on " + sys);
      }
    }
  }

  private Path home() {
    Matcher home = HOME.matcher(log());
    assertTrue(home.find(), this::log);
    return Path.of(home.group());
  }

  private static List<String> devicesBelow(Path home) throws IOException {
    List<String> devices = new ArrayList<>();
    try (DirectoryStream<Path> loops = Files.newDirectoryStream(Path.of("/sys/block"), "loop*")) {
      for (Path loop : loops) {
        Path image = loop.resolve("loop/backing_file");
        if (Files.exists(image) && Files.readString(image).startsWith(home + "/")) {
          devices.add(loop.getFileName().toString());
        }
      }
    }
    return devices;
  }

  private static boolean serves(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"))
          .contains(ShuffleServer.class.getName());
    } catch (IOException e) {
      return false;
    }
  }

  private String log() {
    try {
      return Files.readString(dir.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
