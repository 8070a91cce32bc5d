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

class PublishedStateTest {
  @TempDir Path temp;

  private Optional<PublishedState> read(String text) throws IOException {
    return PublishedState.read(Files.writeString(temp.resolve("state"), text));
  }

  private static final String FIRST_RELEASE =
      """
      #Fri Nov 21 14:30:00 UTC 2025
      atMillis=1000
      usageBytes=7
      usageStartedMillis=900
      totalInodes=100
      freeInodes=40
      """;

  @Test
  void whatIsPublishedComesBack() throws IOException {
    PublishedState state = PublishedState.of(1000, DirectoryUsage.Usage.of(7, 900), 100, 40);
    state.write(temp.resolve("state"));
    assertEquals(Optional.of(state), PublishedState.read(temp.resolve("state")));
  }

  @Test
  void whatOtherReleasesSayBesidesIsIgnored() throws IOException {
    PublishedState state = read(FIRST_RELEASE + "temperature=80\nslowAtMillis=900\n").orElseThrow();
    assertEquals(40, state.freeInodes());
  }

  @Test
  void aStateOfAnotherVersionIsNone() throws IOException {
    assertTrue(read(FIRST_RELEASE + "version=1\n").isPresent());
    assertTrue(read(FIRST_RELEASE + "version=2\n").isEmpty());
  }

  @Test
  void nonsenseIsNoState() throws IOException {
    assertTrue(read(FIRST_RELEASE + "freeInodes=many\n").isEmpty());
    assertTrue(read("").isEmpty());
    assertTrue(PublishedState.read(temp.resolve("none")).isEmpty());
  }
}
