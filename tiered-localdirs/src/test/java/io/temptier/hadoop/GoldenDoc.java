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
package io.temptier.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A page of {@code docs/} that is generated: compared, or written when asked to. */
final class GoldenDoc {
  private static final String UPDATE = "temptier.docs.update";

  private GoldenDoc() {}

  /**
   * Compares a page with what it should be.
   *
   * @param name of the page in {@code docs/}
   * @param expected its text
   * @param test the calling test class
   */
  static void check(String name, String expected, Class<?> test) throws IOException {
    // Maven runs the tests of a module in the module's folder.
    Path page = Path.of("..", "docs", name);
    if (Boolean.getBoolean(UPDATE)) {
      Files.createDirectories(Path.of("..", "docs"));
      Files.writeString(page, expected);
    }
    assertEquals(
        expected,
        Files.exists(page) ? Files.readString(page) : "",
        "docs/"
            + name
            + " is out of date. Update it with:\n  mvn -q -pl tiered-localdirs test -Dtest="
            + test.getSimpleName()
            + " -D"
            + UPDATE
            + "=true\n");
  }
}
