// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs short programs of the system. */
public final class Shell {
  private static final long DEADLINE_SECONDS = 600;
  private static final Path SETSID = Path.of("/usr/bin/setsid");

  private Shell() {}

  /**
   * Runs one to its end.
   *
   * @return what it printed, errors included, without blanks around it
   * @throws IOException when it is not there, fails, or takes more than ten minutes; the message
   *     has what it printed
   */
  public static String run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
      if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(command.get(0) + " took more than " + DEADLINE_SECONDS + " s");
      }
      if (process.exitValue() != 0) {
        throw new IOException(
            command.get(0) + " ended with " + process.exitValue() + ": " + output);
      }
      return output;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted in " + command.get(0), e);
    } finally {
      process.destroyForcibly();
    }
  }

  public static String run(String... command) throws IOException {
    return run(List.of(command));
  }

  /**
   * A command line in a session of its own, where that can be had, so that what ends this one's
   * terminal does not end it.
   *
   * @return a list of the caller's own
   */
  public static List<String> inOwnSession(String... command) {
    List<String> line = new ArrayList<>(List.of(command));
    if (Files.isExecutable(SETSID)) {
      line.add(0, SETSID.toString());
    }
    return line;
  }

  /** Where this process looks for programs. */
  public static String path() {
    return System.getenv().getOrDefault("PATH", "");
  }

  public static boolean isOn(String path, String program) {
    return Stream.of(path.split(File.pathSeparator, -1))
        .filter(folder -> !folder.isEmpty())
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
