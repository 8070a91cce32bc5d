// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Texts;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What became of a program.
 *
 * @param code its exit code
 * @param text what it printed, errors included
 */
public record Ran(int code, String text) {
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
}
