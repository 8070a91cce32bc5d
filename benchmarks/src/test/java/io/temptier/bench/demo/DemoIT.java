// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.OtherJvm;
import io.temptier.cli.main.Main;
import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsCeph;
import io.temptier.fixtures.Needs.NeedsInterrupts;
import io.temptier.fixtures.Thorough;
import io.temptier.fixtures.Trees;
import io.temptier.lab.testbed.CephProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Help.Ansi;

/** The demo and {@code s3a testbed} as a user runs them; whatever ends them, nothing is left. */
final class DemoIT {
  @TempDir private Path dir;

  @Test
  void rowsAreSortedSpilledReportedAndCleanedUpAfter() throws Exception {
    Path work = Path.of("target/demo-it").toAbsolutePath();
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String line = "demo --rows=150000 --nodes=1 --fast-cap=2m --work=%s --report=%s";
    String[] args = line.formatted(work, dir).split(" ", -1);
    int code = Main.run(new PrintWriter(out), new PrintWriter(err), Ansi.OFF, args);
    assertEquals(0, code, () -> out + "\n" + err);
    JsonNode report = new ObjectMapper().readTree(dir.resolve("report.json").toFile());
    assertTrue(report.path("validated").asBoolean(), report.toString());
    assertEquals(0, report.path("failedTasks").asInt());
    String command = report.path("facts").path("command").asText();
    assertTrue(command.startsWith("./temptier demo --rows="), command);
    assertTrue(report.path("jobSeconds").asDouble() > 0);
    assertTrue(report.path("tiers").size() >= 1, report.toString());
    assertTrue(report.path("spilledDown").path("bytes").asLong() > 0, report.toString());
    assertTrue(report.path("refusals").size() > 0, report.toString());
    assertTrue(report.path("samples").size() > 0, report.toString());
    assertTrue(out.toString().contains("rows in order and none missing"), out.toString());
    assertTrue(Files.readString(dir.resolve("report.html")).contains("TempTier demo"));
    assertEquals(List.of(work), Trees.below(work), "folders are left behind");
  }

  @Test
  @NeedsInterrupts
  @Thorough
  void noProcessAndNoFolderOutlivesTheDemoThatIsInterrupted() throws Exception {
    noneOutlivesTheDemo("INT");
  }

  @Test
  void noProcessAndNoFolderOutlivesTheDemo() throws Exception {
    noneOutlivesTheDemo("KILL");
  }

  private void noneOutlivesTheDemo(String signal) throws Exception {
    Path work = Files.createDirectories(Path.of("target/demo-kill-it").toAbsolutePath());
    Path log = dir.resolve("log");
    Process demo = demo(work, log);
    Set<ProcessHandle> started = new HashSet<>();
    try {
      Eventually.holds(
          "a task runs",
          () -> {
            assertTrue(demo.isAlive(), () -> "the demo ended early: " + OtherJvm.read(log));
            demo.descendants().forEach(started::add);
            return taskRuns(started);
          });
      demo.descendants().forEach(started::add);
      new ProcessBuilder("kill", "-" + signal, Long.toString(demo.pid())).start().waitFor();
      assertTrue(demo.waitFor(10, TimeUnit.MINUTES), "the demo survived SIG" + signal);
      Eventually.holds(
          "nothing is left in " + work,
          () -> alive(started).isEmpty() && Trees.below(work).size() == 1);
    } finally {
      demo.destroyForcibly();
      started.forEach(ProcessHandle::destroyForcibly);
    }
    assertEquals(List.of(), alive(started));
  }

  private static Process demo(Path work, Path log) throws IOException {
    String line = "demo --rows=2000000 --nodes=1 --work=%s --report=%s";
    return OtherJvm.temptier(log, List.of(line.formatted(work, log.getParent()).split(" ", -1)));
  }

  /** A task's JVM, not only its application master's, is there. */
  private static boolean taskRuns(Set<ProcessHandle> processes) {
    return alive(processes).stream()
        .map(process -> OtherJvm.read(Path.of("/proc/" + process.pid() + "/cmdline")))
        .anyMatch(line -> line.contains("YarnChild"));
  }

  private static List<ProcessHandle> alive(Set<ProcessHandle> processes) {
    return processes.stream().filter(ProcessHandle::isAlive).toList();
  }

  private static final Pattern CONF = Pattern.compile("configuration  (\\S+)/conf, with");

  @Test
  @NeedsCeph
  void allGatewaysAreInTheSettingsOfATestbedAndNothingOutlivesIt() throws Exception {
    Path log = dir.resolve("log");
    Process testbed = OtherJvm.temptier(log, List.of("s3a", "testbed", "--gateways=3"));
    Path home;
    try {
      Eventually.holds(
          "it is up",
          () -> {
            assertTrue(testbed.isAlive(), () -> "it ended early: " + OtherJvm.read(log));
            return OtherJvm.read(log).contains("Ctrl-C");
          });
      Matcher conf = CONF.matcher(OtherJvm.read(log));
      assertTrue(conf.find(), () -> OtherJvm.read(log));
      home = Path.of(conf.group(1));
      Configuration settings = new Configuration(false);
      settings.addResource(
          new org.apache.hadoop.fs.Path(home.resolve("conf/core-site.xml").toUri()));
      assertEquals(3, settings.getTrimmedStrings("temptier.s3a.endpoints").length);
      assertEquals(
          "io.temptier.s3a.endpoint.SpreadingS3ClientFactory",
          settings.get("fs.s3a.s3.client.factory.impl"));
      // A monitor, an OSD and the gateways.
      assertEquals(5, CephProcess.at(home).size(), () -> OtherJvm.read(log));
    } finally {
      testbed.destroyForcibly();
    }
    Eventually.holds(
        "nothing is left in " + home,
        () -> CephProcess.at(home).isEmpty() && Files.notExists(home));
  }
}
