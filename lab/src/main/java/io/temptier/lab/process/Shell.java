// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs short programs of the system. */
public final class Shell {
  private static final Duration DEADLINE = Duration.ofMinutes(10);
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
    return run(command, DEADLINE);
  }

  static String run(List<String> command, Duration deadline) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    CompletableFuture<Process> end =
        process.onExit().orTimeout(deadline.toMillis(), TimeUnit.MILLISECONDS);
    // Its output is open for as long as it hangs.
    CompletableFuture<Process> unused = end.exceptionally(late -> process.destroyForcibly());
    try {
      process.getOutputStream().close();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
      int code = process.waitFor();
      if (code == 0) {
        return output;
      }
      String how =
          end.isCompletedExceptionally()
              ? " took more than " + deadline.toSeconds() + " s: "
              : " ended with " + code + ": ";
      throw new IOException(command.get(0) + how + output);
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

  /** A command line of texts and paths, and of lists and arrays of such, in their order. */
  public static List<String> line(Object... parts) {
    List<String> line = new ArrayList<>();
    for (Object part : parts) {
      if (part instanceof List<?> several) {
        line.addAll(line(several.toArray()));
      } else if (part instanceof Object[] several) {
        line.addAll(line(several));
      } else {
        line.add(part.toString());
      }
    }
    return line;
  }

  /**
   * A command line in a session of its own, where that can be had, so that what ends this one's
   * terminal does not end it.
   */
  public static List<String> inOwnSession(List<String> command) {
    return Files.isExecutable(SETSID) ? line(SETSID, command) : command;
  }

  public static String path() {
    return System.getenv().getOrDefault("PATH", "");
  }

  public static boolean isOn(String path, String program) {
    return Stream.of(path.split(File.pathSeparator, -1))
        .filter(folder -> !folder.isEmpty())
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
