// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/s3a.md} has a table of the keys, as they are here. */
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
