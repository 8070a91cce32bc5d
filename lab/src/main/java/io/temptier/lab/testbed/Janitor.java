// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.Shell;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A small JVM that removes a run's folder and disks when the run has ended, by SIGKILL too, which
 * it knows by the end of its standard input. It is in a session of its own, where that can be had,
 * so that the Ctrl-C that ends the run does not end it as well.
 */
record Janitor(Process process) implements AutoCloseable {
  private static final int TRIES = 1_200;
  private static final long PAUSE_MILLIS = 500;
  private static final long END_SECONDS = 660;

  /** Starts one for the folder {@code home}, which need not be there yet. */
  static Janitor start(Path home) throws IOException {
    List<String> command =
        Shell.inOwnSession(
            JavaCommand.likeThis(
                List.of(
                    "-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"),
                Janitor.class,
                home.toString()));
    return new Janitor(
        new ProcessBuilder(command)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD)
            .start());
  }

  /** Waits for the end of standard input, then removes the folder {@code args[0]}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    int unused = System.in.read();
    // The run's other processes end at the same moment, and may hold its disks a little longer.
    for (int i = 0; i < TRIES; i++) {
      try {
        if (TestbedHome.removeIfDead(Path.of(args[0]))) {
          return;
        }
      } catch (IOException e) {
        if (i == TRIES - 1) {
          throw e;
        }
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
