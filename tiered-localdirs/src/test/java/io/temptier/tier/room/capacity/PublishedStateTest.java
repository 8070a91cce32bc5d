// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room.capacity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishedStateTest {
  @TempDir Path temp;

  private Optional<PublishedState> read(String text) throws IOException {
    return PublishedState.read(Files.writeString(temp.resolve("state"), text));
  }

  private static final String STATE =
      """
      #Fri Nov 21 14:30:00 UTC 2025
      atMillis=1000
      usageBytes=7
      usageStartedMillis=900
      usageFoldersNotListed=0
      totalInodes=100
      freeInodes=40
      """;

  @Test
  void whatIsPublishedComesBack() throws IOException {
    PublishedState state = PublishedState.of(1000, DirectoryUsage.Usage.of(7, 900), 100, 40);
    state.write(temp.resolve("state"));
    assertEquals(Optional.of(state), PublishedState.read(temp.resolve("state")));
  }

  @ParameterizedTest
  @CsvSource({
    "temperature=80, true",
    "version=1, true",
    "version=2, false",
    "freeInodes=many, false",
  })
  void aStateOfAnotherVersionIsNone(String line, boolean counts) throws IOException {
    Optional<PublishedState> state = read(STATE + line + "\n");
    assertEquals(Optional.of(40L).filter(bytes -> counts), state.map(PublishedState::freeInodes));
  }

  @Test
  void nonsenseIsNoState() throws IOException {
    assertTrue(read("").isEmpty());
    assertTrue(PublishedState.read(temp.resolve("none")).isEmpty());
  }
}
