// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.DirHealth;
import io.temptier.tier.room.PublishedDevices.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the NodeManager publishes, of each dir and of all devices. */
class PublishedStateTest {
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

  @TempDir Path temp;

  private Path file(String text) throws IOException {
    return Files.writeString(temp.resolve("published"), text);
  }

  private Optional<Map<String, Device>> devices(String text) throws IOException {
    return PublishedDevices.read(file(text)).map(PublishedDevices::dirs);
  }

  @Test
  void whatIsPublishedComesBack() throws IOException {
    Path file = temp.resolve("published");
    PublishedState state = PublishedState.of(1000, DirectoryUsage.Usage.of(7, 900, 0), 100, 40);
    state.write(file);
    assertEquals(Optional.of(state), PublishedState.read(file));
    Device busy = Device.of(DirHealth.SLOW, Long.MAX_VALUE);
    PublishedDevices devices =
        PublishedDevices.of(1000, Map.of("/a b=\u00e9", Device.of(DirHealth.HUNG, 7), "/c", busy));
    devices.write(file);
    assertEquals(Optional.of(devices), PublishedDevices.read(file));
    assertEquals(Device.IDLE, devices.of(Path.of("/other")));
  }

  @ParameterizedTest
  @CsvSource({
    "temperature=80, true",
    "version=1, true",
    "version=2, false",
    "freeInodes=many, false",
  })
  void aStateOfAnotherVersionIsNone(String line, boolean counts) throws IOException {
    Optional<PublishedState> state = PublishedState.read(file(STATE + line + "\n"));
    assertEquals(Optional.of(40L).filter(bytes -> counts), state.map(PublishedState::freeInodes));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/a=SLOW 1\n",
        "atMillis=1000\n/a=SLOW\n",
        "atMillis=1000\n/a=SLOW much\n",
        "atMillis=1000\n/a=SLOW 7\nversion=2\n"
      })
  void nonsenseIsNothing(String text) throws IOException {
    assertEquals(Optional.empty(), devices(text));
    assertEquals(Optional.empty(), PublishedState.read(file(text)));
    Path none = temp.resolve("none");
    assertTrue(PublishedDevices.read(none).isEmpty() && PublishedState.read(none).isEmpty());
  }

  @ParameterizedTest
  @CsvSource({"SLOW -5, SLOW, 0", "SLOW 7, SLOW, 7", "HOT 5, SOUND, 5"})
  void aWordOfAReleaseToComeIsNoFault(String text, DirHealth health, long busyBytes)
      throws IOException {
    assertEquals(
        Optional.of(Map.of("/a", Device.of(health, busyBytes))),
        devices("atMillis=1000\n/a=" + text + "\niops=9,3\nversion=1\n"));
  }

  @Test
  void isBelievedForSecondsWhicheverWayTheClockWasSet() {
    PublishedDevices devices = PublishedDevices.of(100_000, Map.of());
    assertTrue(devices.fresh(100_000));
    assertTrue(devices.fresh(107_999));
    assertTrue(devices.fresh(92_001));
    assertFalse(devices.fresh(108_000));
    assertFalse(devices.fresh(92_000));
    assertFalse(PublishedDevices.NONE.fresh(0));
  }
}
