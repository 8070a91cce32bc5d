// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench;

import io.temptier.cli.main.Main;
import io.temptier.lab.process.JavaCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code temptier} in a JVM of its own, with the class path that the launcher gives it. */
public final class OtherJvm {
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
   * Starts {@code temptier} as a user does.
   *
   * @param log where all it prints goes
   */
  public static Process temptier(Path log, List<String> arguments) throws IOException {
    return temptier(arguments).redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }
}
