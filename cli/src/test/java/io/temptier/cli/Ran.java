// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Programs;
import io.temptier.fixtures.Texts;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What became of a program.
 *
 * @param code its exit code
 * @param text what it printed, errors included
 */
public record Ran(int code, String text) {
  /** Parts of the paths of jars and classes that the tarball holds. */
  private static final List<String> SHIPPED =
      List.of("/target/", "/io/temptier/", "/info/picocli/");

  /** Runs a program in a folder until it ends. */
  public static Ran of(Path folder, Map<String, String> environment, String... line)
      throws Exception {
    return of(folder, environment, List.of(line));
  }

  public static Ran of(Path folder, Map<String, String> environment, List<String> line)
      throws Exception {
    ProcessBuilder builder = new ProcessBuilder(line).directory(folder.toFile());
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(5, TimeUnit.MINUTES), text);
    return new Ran(process.exitValue(), text);
  }

  /** Asserts how it ended, and that it said that. */
  public Ran ends(int expected, String... said) {
    assertEquals(expected, code, text);
    return says(said);
  }

  public Ran says(String... parts) {
    Texts.has(text, parts);
    return this;
  }

  public Ran lacks(String... parts) {
    Texts.lacks(text, parts);
    return this;
  }

  /** Makes a {@code HADOOP_HOME} whose class path is this JVM's but for what is built here. */
  public static Path hadoopHome(Path home) throws IOException {
    String jars =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> SHIPPED.stream().noneMatch(entry::contains))
            .collect(Collectors.joining(File.pathSeparator));
    Programs.script(home.resolve("bin/hadoop"), "echo '" + jars + "'");
    return home;
  }
}
