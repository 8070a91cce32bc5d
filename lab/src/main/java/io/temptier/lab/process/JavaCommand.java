// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.process;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The command lines of other JVMs. */
public final class JavaCommand {
  private JavaCommand() {}

  /** The Java that this JVM runs on. */
  public static Path home() {
    return Path.of(System.getProperty("java.home"));
  }

  public static String program() {
    return program(home());
  }

  private static String program(Path home) {
    return home.resolve("bin").resolve("java").toString();
  }

  /** A class path. */
  public static String path(List<Path> entries) {
    return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * A JVM with the class path of this one.
   *
   * @param options of the JVM, such as {@code -Xmx32m}
   */
  public static List<String> likeThis(List<String> options, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>(List.of(program()));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  /**
   * A JVM in which Hadoop can work, and which ends when the process at the other end of its
   * standard input does: see {@link ParentWatch}.
   *
   * @param home of its Java, 11 or later
   */
  public static List<String> tethered(
      Path home, List<String> options, List<Path> classPath, String main, String... arguments) {
    List<String> command = new ArrayList<>(List.of(program(home)));
    command.addAll(options);
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    command.add("-Djava.net.preferIPv4Stack=true");
    command.add("-XX:-UsePerfData");
    command.add("-cp");
    command.add(path(classPath));
    command.addAll(List.of(ParentWatch.class.getName(), main));
    command.addAll(List.of(arguments));
    return command;
  }
}
