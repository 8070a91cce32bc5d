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
package io.temptier.s3a.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of the repository that is generated: compared, or written when asked to. */
final class GoldenFile {
  private static final String UPDATE = "temptier.golden";

  private GoldenFile() {}

  /**
   * Compares a file with what it should be.
   *
   * @param name its path from the root of the repository
   * @param expected its text
   * @param test the calling test class
   */
  static void check(String name, String expected, Class<?> test) throws IOException {
    // Maven runs the tests of a module in the module's folder.
    Path file = Path.of("..").resolve(name);
    if ("update".equals(System.getProperty(UPDATE))) {
      Files.writeString(file, expected);
    }
    assertEquals(
        expected,
        Files.exists(file) ? Files.readString(file) : "",
        name
            + " is out of date. Update it, and read the diff:\n"
            + "  mvn -q -pl s3a-tuning -am test -Dtest="
            + test.getSimpleName()
            + " -Dsurefire.failIfNoSpecifiedTests=false -D"
            + UPDATE
            + "=update\n");
  }
}
