// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.ParentWatch;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No process of a cluster outlives it. */
final class ProcessesTest {
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
}
