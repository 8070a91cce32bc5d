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
package io.temptier.s3a.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/s3a.md} has a table of the keys and one of the counters, as they are here. */
class EndpointDocsTest {
  private static final Path DOCS = Path.of("..", "docs", "s3a.md");

  @Test
  void theKeysAreDocumented() throws IOException {
    String table =
        Arrays.stream(EndpointKey.values())
            .map(
                key ->
                    "| `"
                        + key.key()
                        + "` | "
                        + (key.defaultValue().isEmpty() ? "none" : "`" + key.defaultValue() + "`")
                        + " | "
                        + key.doc()
                        + " |\n")
            .collect(Collectors.joining());
    assertHolds(table);
  }

  @Test
  void theCountersAreDocumented() throws IOException {
    String table =
        Arrays.stream(GatewayCounter.values())
            .map(
                counter ->
                    "| `"
                        + counter.attribute()
                        + "` | "
                        + counter.type().name().toLowerCase(Locale.ROOT)
                        + " | "
                        + counter.doc()
                        + " |\n")
            .collect(Collectors.joining());
    assertHolds(table);
  }

  private static void assertHolds(String table) throws IOException {
    String docs = Files.readString(DOCS);
    assertTrue(
        docs.contains(table), () -> "docs/s3a.md lacks this table; put it in its place:\n" + table);
  }

  @Test
  void defaultsAreWhatTheDocsOfFailuresSay() {
    // The prose names these two.
    assertEquals("3", EndpointKey.FAILURES.defaultValue());
    assertEquals("2s", EndpointKey.PROBE_INTERVAL.defaultValue());
  }
}
