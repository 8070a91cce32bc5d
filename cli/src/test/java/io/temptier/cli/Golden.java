/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
