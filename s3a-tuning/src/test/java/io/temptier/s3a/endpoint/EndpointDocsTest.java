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

/** {@code docs/s3a.md} has a list of the keys, as they are here. */
class EndpointDocsTest {
  private static final Path DOCS = Path.of("..", "docs", "s3a.md");

  @Test
  void theKeysAreDocumented() throws IOException {
    String list =
        Arrays.stream(EndpointKey.values())
            .map(EndpointDocsTest::item)
            .collect(Collectors.joining());
    String docs = Files.readString(DOCS);
    assertTrue(
        docs.contains(list), () -> "docs/s3a.md lacks this list; put it in its place:\n" + list);
  }

  private static String item(EndpointKey key) {
    String value = key.defaultValue().isEmpty() ? "" : " (default `" + key.defaultValue() + "`)";
    return "- `%s`%s: %s\n".formatted(key.key(), value, key.doc());
  }

  @Test
  void defaultsAreWhatTheDocsOfFailuresSay() {
    // The prose names these two.
    assertEquals("3", EndpointKey.FAILURES.defaultValue());
    assertEquals("2s", EndpointKey.PROBE_INTERVAL.defaultValue());
  }
}
