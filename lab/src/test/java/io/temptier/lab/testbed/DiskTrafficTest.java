// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class DiskTrafficTest {
  private static final DiskSpeed SPEED = new DiskSpeed(30, 40);

  @Test
  void readsTheKernelsFields() {
    DiskTraffic traffic =
        DiskTraffic.parse(
            "  443336  45 74283592 452925  54162 63224 65961660 2240837 0 239676 9 0\n");
    assertEquals(new DiskTraffic(443336, 74283592L * 512, 54162, 65961660L * 512, 239676), traffic);
    assertEquals(new DiskTraffic(0, 0, 0, 0, 0), traffic.since(traffic));
  }

  @Test
  void theLoadIsThatOfWhateverIsScarcest() {
    assertEquals(0.5, new DiskTraffic(1, 30_000_000, 0, 0, 0).share(SPEED, 2));
    assertEquals(0.25, new DiskTraffic(0, 0, 20, 1000, 0).share(SPEED, 2));
    assertEquals(1, new DiskTraffic(0, 0, 400, 1000, 0).share(SPEED, 2));
  }
}
