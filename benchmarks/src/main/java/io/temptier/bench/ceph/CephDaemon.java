// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.ceph;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A daemon of Ceph that this JVM started. It is in a session of its own, so that it can outlive the
 * terminal it was started from.
 */
final class CephDaemon {
  private static final int TAIL_LINES = 12;

  private final String name;
  private final Process process;
  private final Path output;

  private CephDaemon(String name, Process process, Path output) {
    this.name = name;
    this.process = process;
    this.output = output;
  }

  /**
   * Starts one.
   *
   * @param name such as {@code osd.0}; names its output
   * @param program the program
   * @param arguments besides the configuration file
   */
  static CephDaemon start(CephHome home, String name, String program, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
      command.add("/usr/bin/setsid");
    }
    command.addAll(List.of(program, "-f", "-c", home.conf().toString()));
    command.addAll(List.of(arguments));
    Path output = home.output(name);
    Process process =
        new ProcessBuilder(command)
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new CephDaemon(name, process, output);
  }

  /** Its name. */
  String name() {
    return name;
  }

  /** Fails when it does not run. */
  void mustRun() throws IOException {
    if (!process.isAlive()) {
      throw new IOException(
          name + " ended with " + process.exitValue() + ". " + output + " ends:\n" + tail());
    }
  }

  /** Ends it without grace, and waits until it is gone. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  private String tail() throws IOException {
    List<String> lines = Files.readAllLines(output);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
  }
}
