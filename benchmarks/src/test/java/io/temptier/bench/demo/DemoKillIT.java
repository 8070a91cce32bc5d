// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.OtherJvm;
import io.temptier.fixtures.NeedsInterrupts;
import io.temptier.fixtures.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever ends the demo, nothing of it is left. */
final class DemoKillIT {
  @TempDir private Path dir;

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
      long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
      while (!taskRuns(started)) {
        assertTrue(demo.isAlive(), () -> "the demo ended early: " + OtherJvm.read(log));
        assertTrue(System.nanoTime() < deadline, () -> "no task ran: " + OtherJvm.read(log));
        demo.descendants().forEach(started::add);
        Thread.sleep(100);
      }
      demo.descendants().forEach(started::add);
      new ProcessBuilder("kill", "-" + signal, Long.toString(demo.pid())).start().waitFor();
      assertTrue(demo.waitFor(10, TimeUnit.MINUTES), "the demo survived SIG" + signal);
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
      while (!(alive(started).isEmpty() && isEmpty(work))) {
        assertTrue(
            System.nanoTime() < end, () -> "left: " + commands(alive(started)) + " in " + work);
        Thread.sleep(100);
      }
    } finally {
      demo.destroyForcibly();
      started.forEach(ProcessHandle::destroyForcibly);
    }
    assertEquals(List.of(), alive(started));
  }

  private static Process demo(Path work, Path log) throws IOException {
    return OtherJvm.temptier(
        log,
        List.of(
            "demo",
            "--rows=2000000",
            "--nodes=1",
            "--work=" + work,
            "--report=" + log.getParent()));
  }

  /** A task's JVM, not only its application master's, is there. */
  private static boolean taskRuns(Set<ProcessHandle> processes) {
    return commands(alive(processes)).stream().anyMatch(line -> line.contains("YarnChild"));
  }

  private static List<ProcessHandle> alive(Set<ProcessHandle> processes) {
    return processes.stream().filter(ProcessHandle::isAlive).toList();
  }

  private static List<String> commands(List<ProcessHandle> processes) {
    return processes.stream()
        .map(
            process ->
                process.pid()
                    + " "
                    + OtherJvm.read(Path.of("/proc/" + process.pid() + "/cmdline"))
                        .replace('\0', ' '))
        .toList();
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }
}
