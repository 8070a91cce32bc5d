// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.cli.main.Main;
import io.temptier.lab.process.JavaCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** {@code temptier} in a JVM of its own, with the class path that the launcher gives it. */
public final class OtherJvm {
  /** Where {@link #bench} has the report, below its folder. */
  public static final String REPORT = "report";

  private static final List<String> SMALL = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1");

  private OtherJvm() {}

  /** {@code temptier} as a user starts it, to be started. */
  public static ProcessBuilder temptier(List<String> arguments) throws IOException {
    List<String> command =
        new ArrayList<>(JavaCommand.likeThis(SMALL, Main.class, arguments.toArray(new String[0])));
    command.set(command.indexOf("-cp") + 1, classPath());
    return new ProcessBuilder(command);
  }

  /** What the build writes for the script {@code temptier}. */
  private static String classPath() throws IOException {
    Path module = Path.of("").toAbsolutePath();
    return String.join(
        File.pathSeparator,
        module.resolve("target/classes").toString(),
        Files.readString(module.resolve("target/launcher.classpath")).strip(),
        Files.readString(module.resolve("hadoop-runtime/target/classpath")).strip());
  }

  /** The text of a file, such as a process's log; empty where there is none yet, or no more. */
  public static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Runs {@code bench run} to its end, which is a success, and after which no process of it lives.
   *
   * @param dir for its report, and {@code log}: all it prints
   * @param options with a blank between them
   * @return as {@link #report}
   */
  public static JsonNode bench(Path dir, String options) throws IOException, InterruptedException {
    Path log = dir.resolve("log");
    Path report = dir.resolve(REPORT);
    String line = "bench run " + options + " --report=" + report;
    Process bench = temptier(log, List.of(line.split(" ", -1)));
    Set<ProcessHandle> started = new HashSet<>();
    try {
      while (!bench.waitFor(50, TimeUnit.MILLISECONDS)) {
        bench.descendants().forEach(started::add);
      }
      assertEquals(0, bench.exitValue(), () -> read(log));
      assertTrue(read(log).contains("Goals"), () -> read(log));
      assertFalse(started.isEmpty());
      assertEquals(List.of(), started.stream().filter(ProcessHandle::isAlive).toList());
    } finally {
      bench.destroyForcibly();
      started.forEach(ProcessHandle::destroyForcibly);
    }
    return report(report);
  }

  /** The {@code report.json} of a run of one round, all of whose trials count, beside its page. */
  public static JsonNode report(Path folder) throws IOException {
    assertTrue(read(folder.resolve("report.html")).contains("<canvas"));
    JsonNode report = new ObjectMapper().readTree(folder.resolve("report.json").toFile());
    for (JsonNode arm : report.path("arms")) {
      assertEquals(1, arm.path("seconds").size(), arm::toPrettyString);
      assertTrue(arm.path("validated").asBoolean(), arm::toPrettyString);
      assertEquals(0, arm.path("failedTasks").asInt(), arm::toPrettyString);
    }
    return report;
  }

  /**
   * Starts {@code temptier} as a user does.
   *
   * @param log where all it prints goes
   */
  public static Process temptier(Path log, List<String> arguments) throws IOException {
    return temptier(arguments).redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }
}
