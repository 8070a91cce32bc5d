// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
    PublishedState state =
        new PublishedState(1000, new DirectoryUsage.Usage(7, 900), 100, 40, 1100);
    state.write(temp.resolve("state"));
    assertEquals(Optional.of(state), PublishedState.read(temp.resolve("state")));
  }

  @Test
  void aStateThatSaysNothingOfItIsOfADirThatIsNotSlow() throws IOException {
    PublishedState state = read(FIRST_RELEASE).orElseThrow();
    assertEquals(40, state.freeInodes());
    assertFalse(state.slow(1000));
  }

  @Test
  void propertiesOfReleasesToComeAreIgnored() throws IOException {
    assertTrue(read(FIRST_RELEASE + "temperature=80\nslowAtMillis=900\n").orElseThrow().slow(1000));
  }

  @Test
  void aStateOfAnotherVersionIsNone() throws IOException {
    assertTrue(read(FIRST_RELEASE + "version=1\n").isPresent());
    assertTrue(read(FIRST_RELEASE + "version=2\n").isEmpty());
  }

  @Test
  void nonsenseIsNoState() throws IOException {
    assertTrue(read(FIRST_RELEASE + "slowAtMillis=yes\n").isEmpty());
    assertTrue(read("").isEmpty());
    assertTrue(PublishedState.read(temp.resolve("none")).isEmpty());
  }

  @Test
  void isBelievedForHalfAMinuteWhicheverWayTheClockWasSet() {
    PublishedState state = new PublishedState(0, DirectoryUsage.Usage.UNKNOWN, 0, 0, 1_000_000);
    assertTrue(state.slow(1_000_000));
    assertTrue(state.slow(1_029_999));
    assertFalse(state.slow(1_030_000));
    assertTrue(state.slow(970_001));
    assertFalse(state.slow(970_000));
    PublishedState never = new PublishedState(0, DirectoryUsage.Usage.UNKNOWN, 0, 0, 0);
    assertFalse(never.slow(0));
    PublishedState hostile =
        new PublishedState(0, DirectoryUsage.Usage.UNKNOWN, 0, 0, Long.MIN_VALUE);
    assertFalse(hostile.slow(1_000_000));
    assertFalse(
        new PublishedState(0, DirectoryUsage.Usage.UNKNOWN, 0, 0, Long.MAX_VALUE).slow(1_000_000));
  }
}
