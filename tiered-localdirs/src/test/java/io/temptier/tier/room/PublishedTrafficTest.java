// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublishedTrafficTest {
  @TempDir Path temp;

  private Optional<PublishedTraffic> read(String text) throws IOException {
    return PublishedTraffic.read(Files.writeString(temp.resolve("traffic"), text));
  }

  @Test
  void whatIsPublishedComesBack() throws IOException {
    PublishedTraffic traffic =
        new PublishedTraffic(1000, Map.of("/a b=\u00e9", 7L, "/c", Long.MAX_VALUE));
    traffic.write(temp.resolve("traffic"));
    assertEquals(Optional.of(traffic), PublishedTraffic.read(temp.resolve("traffic")));
  }

  @Test
  void nonsenseIsNoTraffic() throws IOException {
    assertTrue(read("").isEmpty());
    assertTrue(read("/a=1\n").isEmpty());
    assertTrue(read("atMillis=1000\n/a=much\n").isEmpty());
    assertTrue(PublishedTraffic.read(temp.resolve("none")).isEmpty());
    assertEquals(Map.of("/a", 0L), read("atMillis=1000\n/a=-5\n").orElseThrow().bytes());
  }

  @Test
  void trafficOfAnotherVersionIsNoneAndWhatIsNoDirIsLeftAlone() throws IOException {
    String traffic = "atMillis=1000\n/a=7\n";
    assertEquals(Map.of("/a", 7L), read(traffic + "iops=9,3\nversion=1\n").orElseThrow().bytes());
    assertTrue(read(traffic + "version=2\n").isEmpty());
  }

  @Test
  void isBelievedForSecondsWhicheverWayTheClockWasSet() {
    PublishedTraffic traffic = new PublishedTraffic(100_000, Map.of());
    assertTrue(traffic.fresh(100_000));
    assertTrue(traffic.fresh(109_999));
    assertTrue(traffic.fresh(90_001));
    assertFalse(traffic.fresh(110_000));
    assertFalse(traffic.fresh(90_000));
  }
}
