// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Texts;
import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.ParentWatch;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No process of a cluster outlives it, and no row of a sort on it is lost unsaid. */
final class ClusterTest {
  @TempDir private Path dir;

  /** Stands for a daemon with one container, which runs in a session of its own. */
  public static final class Starter {
    private Starter() {}

    /** Starts the container, says its pid, and goes on for longer than the test. */
    public static void main(String[] args) throws IOException, InterruptedException {
      Process child = new ProcessBuilder("setsid", "sleep", "600").start();
      System.out.println(child.pid());
      System.out.flush();
      Thread.sleep(TimeUnit.MINUTES.toMillis(10));
    }
  }

  @Test
  void theEndOfItsStarterEndsTheDaemonAndItsChildrenAndDeletesTheFolder() throws Exception {
    Path folder = dir.resolve("cluster");
    Files.createDirectories(folder.resolve("logs"));
    Files.writeString(folder.resolve("logs/daemon.log"), "x");
    Path outside = Files.writeString(dir.resolve("outside"), "x");
    Files.createSymbolicLink(folder.resolve("link"), outside);
    Process daemon = start(folder);
    try (BufferedReader out = daemon.inputReader(StandardCharsets.UTF_8)) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(out.readLine())).orElseThrow();
      assertTrue(child.isAlive());
      // To the daemon, a closed pipe is what the death of its starter looks like.
      daemon.getOutputStream().close();
      assertTrue(daemon.waitFor(5, TimeUnit.MINUTES), "the daemon still runs");
      child.onExit().get(5, TimeUnit.MINUTES);
    }
    assertFalse(Files.exists(folder));
    assertTrue(Files.exists(outside), "what a link points to is not ours");
  }

  @Test
  void anOrderlyEndRunsTheShutdownHooksAndLeavesTheFolder() throws Exception {
    Path folder = Files.createDirectories(dir.resolve("cluster"));
    Process daemon = start(folder);
    try (BufferedReader out = daemon.inputReader(StandardCharsets.UTF_8)) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(out.readLine())).orElseThrow();
      daemon.getOutputStream().write(ParentWatch.QUIT);
      daemon.getOutputStream().flush();
      assertTrue(daemon.waitFor(5, TimeUnit.MINUTES), "the daemon still runs");
      assertEquals(0, daemon.exitValue());
      child.destroyForcibly();
    }
    assertTrue(Files.exists(folder));
  }

  @Test
  void noDaemonRunsOnceAllAreEnded() throws IOException {
    ProcessBuilder sleep = new ProcessBuilder("sleep", "600");
    ProcessGroup group = new ProcessGroup();
    Daemon daemon = group.start("sleeper", sleep, dir.resolve("log"));
    group.end();
    assertFalse(daemon.alive());
    assertThrows(IOException.class, () -> group.start("late", sleep, dir.resolve("late")));
  }

  private static Process start(Path folder) throws IOException {
    return new ProcessBuilder(
            JavaCommand.likeThis(
                List.of("-Xmx32m", "-D" + ParentWatch.DELETE + "=" + folder),
                ParentWatch.class,
                Starter.class.getName()))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static final TeraRows MADE = new TeraRows(3, 0x1abcdL);

  @Test
  void rowsAreThoseThatTeraGenCounted() throws IOException {
    JobResult teragen =
        job(
            0,
            "INFO mapred.Task: Final Counters for attempt_local1_0001_m_000000_0: Counters: 2",
            "\t\tMap output records=1",
            "\t\tCHECKSUM=7",
            "INFO mapreduce.Job: Counters: 2",
            "\tMap-Reduce Framework",
            "\t\tMap input records=4",
            "\t\tMap output records=3",
            "\torg.apache.hadoop.examples.terasort.TeraGen$Counters",
            "\t\tCHECKSUM=109517");
    assertEquals(MADE, TeraRows.madeBy(teragen));
  }

  @Test
  void aTeraGenThatFailedMadeNone() {
    Texts.thrown(IOException.class, () -> TeraRows.madeBy(job(1, "no room")), "no room");
    assertThrows(IOException.class, () -> TeraRows.madeBy(job(0, "no counters")));
  }

  /** TeraValidate's rows, the lines of its report with " ; " between, and what is wrong. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          3 | checksum 1abcd |
          # The sum has 128 bits, TeraGen's counter 64.
          3 | checksum 10000000000001abcd |
          2 | checksum 1abcd | 2 rows instead of 3
          3 | checksum 1abce | 1abce instead of 1abcd
          3 | checksum 1abcd ; error misorder in part-r-00000 | misorder in part-r-00000
          3 | | reports
          """)
  void whatIsMissingChangedOrOutOfOrderIsSaid(
      int rows, @Nullable String report, @Nullable String fault) throws IOException {
    List<String> lines = report == null ? List.of() : List.of(report.split(" ; ", -1));
    String said = MADE.fault(validated(rows), lines.stream().map(ClusterTest::tabbed).toList());
    assertEquals(fault == null, said.isEmpty(), said);
    assertTrue(fault == null || said.contains(fault), said);
  }

  private static String tabbed(String line) {
    return line.replaceFirst(" ", "\t");
  }

  @Test
  void aTeraValidateThatFailedIsSaid() throws IOException {
    assertTrue(MADE.fault(job(1), List.of()).contains("teravalidate ended as FAILED"));
  }

  private static JobResult validated(int rows) {
    return job(0, "\t\tMap input records=" + rows, "\t\tReduce output records=1");
  }

  private static JobResult job(int code, String... log) {
    String state = code == 0 ? "SUCCEEDED" : "FAILED";
    return new JobResult(
        "tera", "job_local1_0001", code, 1, 1, 1, state, 1, 1, 0, 0, Map.of(), List.of(log));
  }
}
