// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Compares what a command prints with what is kept in {@code src/test/resources/golden}. */
public final class Golden {
  private static final Path SOURCES = Path.of("src/test/resources/golden");

  private Golden() {}

  /**
   * Fails when the text is another one. To accept it: {@code mvn -pl cli -am test
   * -Dtemptier.golden=update}, then read the diff.
   */
  public static void assertMatches(String name, String actual) throws IOException {
    if ("update".equals(System.getProperty("temptier.golden"))) {
      Files.createDirectories(SOURCES);
      Files.writeString(SOURCES.resolve(name), actual);
      return;
    }
    try (InputStream in = Golden.class.getResourceAsStream("/golden/" + name)) {
      String expected = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(
          expected,
          actual,
          "golden/" + name + " differs; mvn -pl cli -am test -Dtemptier.golden=update accepts it");
    }
  }
}
