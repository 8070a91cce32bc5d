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

class PublishedDevicesTest {
  @TempDir Path temp;

  private Optional<PublishedDevices> read(String text) throws IOException {
    return PublishedDevices.read(Files.writeString(temp.resolve("devices"), text));
  }

  @Test
  void whatIsPublishedComesBack() throws IOException {
    Map<String, Device> dirs =
        Map.of(
            "/a b=\u00e9",
            Device.of(DirHealth.HUNG, 7),
            "/c",
            Device.of(DirHealth.SLOW, Long.MAX_VALUE));
    PublishedDevices devices = PublishedDevices.of(1000, dirs);
    devices.write(temp.resolve("devices"));
    assertEquals(Optional.of(devices), PublishedDevices.read(temp.resolve("devices")));
    assertEquals(Device.IDLE, devices.of(Path.of("/other")));
  }

  @Test
  void nonsenseIsNothing() throws IOException {
    assertTrue(read("").isEmpty());
    assertTrue(read("/a=SLOW 1\n").isEmpty());
    assertTrue(read("atMillis=1000\n/a=SLOW\n").isEmpty());
    assertTrue(read("atMillis=1000\n/a=SLOW much\n").isEmpty());
    assertTrue(PublishedDevices.read(temp.resolve("none")).isEmpty());
    assertEquals(
        Device.of(DirHealth.SLOW, 0),
        read("atMillis=1\n/a=SLOW -5").orElseThrow().of(Path.of("/a")));
  }

  @Test
  void newsOfAnotherVersionAreNoneAndWhatIsNoDirIsLeftAlone() throws IOException {
    String news = "atMillis=1000\n/a=SLOW 7\n";
    assertEquals(
        Map.of("/a", Device.of(DirHealth.SLOW, 7)),
        read(news + "iops=9,3\nversion=1\n").orElseThrow().dirs());
    assertTrue(read(news + "version=2\n").isEmpty());
  }

  @Test
  void aWordOfAReleaseToComeIsNoFault() throws IOException {
    assertEquals(
        Device.of(DirHealth.SOUND, 5),
        read("atMillis=1\n/a=HOT 5").orElseThrow().of(Path.of("/a")));
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
