// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.process;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The command lines of other JVMs. */
public final class JavaCommand {
  private JavaCommand() {}

  public static Path home() {
    return Path.of(System.getProperty("java.home"));
  }

  public static String program() {
    return program(home());
  }

  private static String program(Path home) {
    return home.resolve("bin").resolve("java").toString();
  }

  public static String path(List<Path> entries) {
    return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * A JVM with the class path of this one.
   *
   * @param options of the JVM, such as {@code -Xmx32m}
   */
  public static List<String> likeThis(List<String> options, Class<?> main, String... arguments) {
    String classPath = System.getProperty("java.class.path");
    return Shell.line(program(), options, "-cp", classPath, main.getName(), arguments);
  }

  /**
   * A JVM in which Hadoop can work, and which ends when the process at the other end of its
   * standard input does: see {@link ParentWatch}.
   *
   * @param home of its Java, 11 or later
   * @param command its main class, and that one's arguments
   */
  public static List<String> tethered(
      Path home, List<String> options, List<Path> classPath, List<String> command) {
    return Shell.line(
        program(home),
        options,
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "-Djava.net.preferIPv4Stack=true",
        "-XX:-UsePerfData",
        "-cp",
        path(classPath),
        ParentWatch.class.getName(),
        command);
  }
}
