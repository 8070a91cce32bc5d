// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.OtherJvm;
import io.temptier.bench.s3a.client.Work;
import io.temptier.bench.workload.GridmixReplay.TraceSummary;
import io.temptier.fixtures.BeforeRelease;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsCeph;
import io.temptier.fixtures.Needs.NeedsSlowDisk;
import io.temptier.fixtures.Programs;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.cluster.JobResult;
import io.temptier.lab.cluster.PseudoCluster;
import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.Shell;
import io.temptier.lab.testbed.TestbedHome;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code bench run} as a user runs it, so small that its times say nothing: what it reports, and
 * that nothing of it is left, also where it was killed.
 */
final class BenchIT {
  private static final String SMALL = "e1 --set=rows=100000 --rounds=1 --set=block=5m";
  private static final Pattern HOME = Pattern.compile("/\\S*/" + TestbedHome.PREFIX + "\\d+");
  private static final long MIB = 1 << 20;
  private static final Set<String> READERS =
      Set.of("stock", "sequential-64K", "document", "columnar", "scan", "mixed");

  @TempDir private Path dir;

  /**
   * Runs it to its end, which is a success, and after which no process of it lives.
   *
   * @param options with a blank between them
   * @return as {@link #report}
   */
  private JsonNode bench(String options) throws IOException, InterruptedException {
    Path results = dir.resolve("report");
    String line = "bench run " + options + " --report=" + results;
    Process bench = OtherJvm.temptier(log(), List.of(line.split(" ", -1)));
    Set<ProcessHandle> started = new HashSet<>();
    try {
      while (!bench.waitFor(50, TimeUnit.MILLISECONDS)) {
        bench.descendants().forEach(started::add);
      }
      assertEquals(0, bench.exitValue(), () -> OtherJvm.read(log()));
      assertTrue(OtherJvm.read(log()).contains("Goals"), () -> OtherJvm.read(log()));
      assertFalse(started.isEmpty());
      assertEquals(List.of(), started.stream().filter(ProcessHandle::isAlive).toList());
    } finally {
      bench.destroyForcibly();
      started.forEach(ProcessHandle::destroyForcibly);
    }
    return report(results);
  }

  /** What a run prints. */
  private Path log() {
    return dir.resolve("log");
  }

  /** The {@code report.json} of a run of one round, all of whose trials count, beside its page. */
  private static JsonNode report(Path folder) throws IOException {
    assertTrue(OtherJvm.read(folder.resolve("report.html")).contains("<canvas"));
    JsonNode report = new ObjectMapper().readTree(folder.resolve("report.json").toFile());
    for (JsonNode arm : report.path("arms")) {
      assertEquals(1, arm.path("seconds").size(), arm::toPrettyString);
      assertTrue(arm.path("validated").asBoolean(), arm::toPrettyString);
      assertEquals(0, arm.path("failedTasks").asInt(), arm::toPrettyString);
    }
    return report;
  }

  /** A fast dir of the user's and a slow one. */
  private String dirs() throws IOException {
    return " --dirs=[NVME]%s,[DISK]%s"
        .formatted(
            Files.createDirectory(dir.resolve("fast")), Files.createDirectory(dir.resolve("slow")));
  }

  @Test
  @BeforeRelease
  void onDirsOfTheUsersWhichAreEmptyAfterwards() throws Exception {
    JsonNode report = bench(SMALL + " --arms=temptier" + dirs());
    assertSorts(report, "temptier");
    assertTrue(report.path("arms").path(0).path("peakFastBytes").asLong() > 0, report::toString);
    for (String users : List.of("fast", "slow")) {
      try (Stream<Path> left = Files.list(dir.resolve(users))) {
        assertEquals(List.of(), left.toList());
      }
    }
  }

  @Test
  @BeforeRelease
  void fromTheTarballOnAClusterOfTheUsersThatHasTempTierInstalled() throws Exception {
    Path launcher = unpacked();
    Path hadoop = hadoop(HadoopRuntime.locate());
    Path home = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "own-cluster-");
    ClusterSpec spec =
        new ClusterSpec(HadoopRuntime.locate(), home)
            .shortTasks()
            .dirs(
                new ClusterSpec.Dir("[NVME]", Path.of("fast")),
                new ClusterSpec.Dir("[DISK]", Path.of("slow")))
            .tiered(true);
    try (PseudoCluster cluster = PseudoCluster.start(spec)) {
      // What an installation has in its client configuration: docs/install.md.
      Path results = dir.resolve("results");
      String line =
          "%s bench run %s --conf-dir=%s --report=%s"
              .formatted(launcher, SMALL, cluster.nodeConf(0), results);
      ProcessBuilder builder =
          new ProcessBuilder(line.split(" ", -1)).directory(dir.toFile()).redirectErrorStream(true);
      builder.environment().put("HADOOP_HOME", hadoop.toString());
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      Process bench = builder.start();
      String text = new String(bench.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, bench.waitFor(), text);
      assertSorts(report(results), "stock-mixed", "temptier");
      assertEquals(List.of(), leftOf(cluster), "folders left in the cluster");
    }
  }

  /** The launcher of the benchmarks' tarball. */
  private Path unpacked() throws IOException, InterruptedException {
    String tarball = System.getProperty("temptier.bench.tarball");
    Process tar =
        new ProcessBuilder("tar", "-xzf", tarball, "-C", dir.toString()).inheritIO().start();
    assertEquals(0, tar.waitFor(), tarball);
    try (Stream<Path> roots = Files.list(dir)) {
      List<Path> all = roots.toList();
      assertEquals(1, all.size(), all::toString);
      return all.get(0).resolve("temptier");
    }
  }

  /** A folder as HADOOP_HOME names it, of which the launcher asks the class path alone. */
  private Path hadoop(HadoopRuntime runtime) throws IOException {
    String jars = JavaCommand.path(runtime.jars());
    Programs.script(dir.resolve("hadoop/bin/hadoop"), "echo '" + jars + "'");
    return dir.resolve("hadoop");
  }

  /** What the run left in its user's home. */
  private static List<String> leftOf(PseudoCluster cluster) throws Exception {
    List<String> lines = new ArrayList<>();
    JobResult listing =
        cluster.program("ls", 600, lines::add, "org.apache.hadoop.fs.FsShell", "-ls", "/user/*");
    assertEquals(0, listing.exitCode(), () -> String.join("\n", lines));
    return lines.stream().filter(line -> line.contains("temptier-bench-")).toList();
  }

  private static void assertSorts(JsonNode report, String... expected) {
    List<String> arms = new ArrayList<>();
    for (JsonNode arm : report.path("arms")) {
      arms.add(arm.path("name").asText());
      assertTrue(arm.path("cpuPerReal").asDouble() > 0, arm::toPrettyString);
    }
    assertEquals(List.of(expected), arms);
    for (JsonNode trial : report.path("trials")) {
      boolean tiered = trial.path("arm").asText().equals("temptier");
      long fast = trial.path("counters").path("NVME_BYTES").asLong();
      assertEquals(tiered, fast > 0, trial::toPrettyString);
    }
  }

  @Test
  @NeedsSlowDisk
  @BeforeRelease
  void aKilledRunLeavesItsReportAndIsResumed() throws Exception {
    Path results = dir.resolve("results");
    Process bench = start("--report=" + results);
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
    Process again = start("--resume=" + results);
    try (BufferedReader out = again.inputReader(StandardCharsets.UTF_8)) {
      List<String> lines = out.lines().toList();
      assertEquals(0, again.waitFor(), () -> String.join("\n", lines) + OtherJvm.read(log()));
    } finally {
      again.destroyForcibly();
    }
    JsonNode report = report(results);
    assertSorts(report, "stock-hdd", "temptier");
    for (JsonNode arm : report.path("arms")) {
      boolean tiered = arm.path("name").asText().equals("temptier");
      assertEquals(tiered, arm.path("peakFastBytes").asLong() > 0, arm::toPrettyString);
    }
    assertTrue(goal(report, "e1-vs-hdd").path("measured").isNumber(), report::toPrettyString);
    assertEquals(part.path("trials").path(0), report.path("trials").path(0));
  }

  private Process start(String folder) throws IOException {
    List<String> command =
        List.of(
            ("bench run e1 --rounds=1 --arms=stock-hdd,temptier --set rows=200000 --set block=10m"
                    + " --set slowMbps=200 --set slowIops=2000 "
                    + folder)
                .split(" ", -1));
    return OtherJvm.temptier(command).redirectError(log().toFile()).start();
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

  @Test
  @NeedsSlowDisk
  void aTraceIsReplayedAndTold() throws Exception {
    Path trace = Path.of("src/test/resources/gridmix-small.trace").toAbsolutePath();
    TraceSummary jobs = TraceSummary.copyReplayable(trace.toString(), dir.resolve("copy"));
    assertTrue(jobs.jobs() >= 2 && jobs.reduces() >= 2, jobs::toString);
    JsonNode report =
        bench(
            "gridmix --rounds=1 --arms=temptier --set=block=8m --set=slowMbps=200"
                + " --set=slowIops=2000 --set=trace="
                + trace);
    assertTrue(
        OtherJvm.read(dir.resolve("report/report.html")).contains("Gridmix replays " + jobs));
    assertEquals(1, report.path("arms").size(), report::toPrettyString);
    JsonNode arm = report.path("arms").path(0);
    assertEquals(0, arm.path("failed-jobs").asInt(-1), arm::toPrettyString);
    double shuffled = (double) jobs.shuffleBytes() / MIB;
    assertEquals(shuffled, arm.path("shuffled-mib").asDouble(), shuffled / 10);
    JsonNode counters = report.path("trials").path(0).path("counters");
    assertTrue(counters.path("NVME_BYTES").asLong() > jobs.shuffleBytes() / 2, counters::toString);
    assertTrue(goal(report, "gridmix-vs-hdd").path("measured").isNull(), report::toString);
    assertTrue(goal(report, "gridmix-failed-tasks").path("met").asBoolean(), report::toString);
  }

  private static JsonNode goal(JsonNode report, String id) {
    for (JsonNode goal : report.path("goals")) {
      if (goal.path("id").asText().equals(id)) {
        return goal;
      }
    }
    throw new AssertionError(id + " is no goal of " + report);
  }

  /** That of each goal it is known whether it was met. */
  private static void assertGoals(JsonNode report) {
    for (JsonNode goal : report.path("goals")) {
      assertTrue(goal.hasNonNull("id") && goal.hasNonNull("goal"), goal::toString);
      assertTrue(goal.path("measured").isNumber(), goal::toString);
      assertTrue(goal.path("met").isBoolean(), goal::toString);
    }
  }

  @Test
  void bothShuffleHandlersAreMeasuredOnOneDisk() throws Exception {
    bothAreMeasured(false, dirs());
  }

  @Test
  @NeedsSlowDisk
  void bothShuffleHandlersAreMeasuredOnASlowDisk() throws Exception {
    bothAreMeasured(true, " --set=slowIops=100");
  }

  private void bothAreMeasured(boolean emulated, String disks) throws Exception {
    JsonNode result =
        bench("shuffle --rounds=1 --set=partitions=8 --set=passSize=8m --set=seconds=1" + disks);
    Set<String> arms = new TreeSet<>();
    for (JsonNode arm : result.path("arms")) {
      arms.add(arm.path("name").asText() + " " + arm.path("setting").asText());
      for (String figure : List.of("p50Millis", "p99Millis", "p999Millis", "mbPerSecond")) {
        assertTrue(arm.path(figure).asDouble() > 0, () -> figure + " of " + arm);
      }
      assertTrue(arm.path("peakMemoryBytes").asLong() > 10 << 20, arm::toString);
    }
    Set<String> expected = new TreeSet<>();
    for (String setting : List.of("all-fast", "mixed", "all-slow")) {
      expected.addAll(Set.of("stock " + setting, "temptier " + setting));
    }
    assertEquals(expected, arms);
    assertEquals(5, result.path("goals").size());
    assertGoals(result);
    String slowDisk = result.path("facts").path("slow disk").asText();
    assertEquals(emulated, slowDisk.contains("/dev/loop"), slowDisk);
    assertTrue(result.path("facts").path("command").asText().contains("bench run shuffle"));
    String said = OtherJvm.read(log());
    Matcher home = HOME.matcher(said);
    assertTrue(home.find(), said);
    assertFalse(Files.exists(Path.of(home.group())), home::group);
    assertFalse(OtherJvm.read(Path.of("/proc/self/mountinfo")).contains(home.group()));
  }

  @Test
  @NeedsCeph
  @BeforeRelease
  void everyWayOfS3aIsMeasuredInEveryPattern() throws Exception {
    JsonNode result = bench("s3a --quick");
    Set<String> measured = new TreeSet<>();
    for (JsonNode arm : result.path("arms")) {
      String pattern = arm.path("setting").asText().replaceFirst(" on Hadoop .*", "");
      measured.add(arm.path("name").asText() + " " + pattern);
      assertTrue(arm.path("medianSeconds").asDouble() > 0, arm::toString);
      assertTrue(arm.path("mbPerSecond").asDouble() > 0, arm::toString);
    }
    Set<String> expected = new TreeSet<>();
    for (Work pattern : Work.reads()) {
      READERS.forEach(name -> expected.add(name + " " + pattern.label()));
    }
    if (!result.path("facts").path("slow disk of uploads").asText().startsWith("none: ")) {
      expected.add("disk-slow upload");
    }
    expected.addAll(Set.of("disk-fast upload", "array upload", "bytebuffer upload"));
    expected.addAll(Set.of("one-gateway gateways", "three-gateways gateways"));
    expected.addAll(Set.of("file teragen", "directory teragen", "magic teragen"));
    assertEquals(expected, measured);
    assertGoals(result);
  }
}
