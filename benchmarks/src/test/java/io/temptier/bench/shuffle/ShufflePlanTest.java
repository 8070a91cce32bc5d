// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.testbed.DiskSpeed;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ShufflePlanTest {
  @ParameterizedTest
  @CsvSource({"4, 0.6666666667, 8", "4, 0.5, 4", "4, 0.2, 1", "1, 0.01, 1", "10, 0.9, 90"})
  void theShareIsOfAllFetchers(int fetchers, double share, int slow) {
    assertEquals(slow, ShufflePlan.slowFetchers(fetchers, share));
  }

  @Test
  void aPassHasAtLeastOneMap() {
    assertEquals(16, ShufflePlan.passMaps(128 << 20, 128));
    assertEquals(1, ShufflePlan.passMaps(0, 128));
  }

  @Test
  void aSlowDiskCannotReadAllOutputsWhileItIsMeasured() {
    Duration warmUp = Duration.ofSeconds(10);
    Duration measured = Duration.ofSeconds(40);
    int maps = ShufflePlan.enoughMaps(warmUp, measured, 128, new DiskSpeed(100, 40));
    assertTrue((long) maps * 128 * ShufflePlan.SEGMENT_BYTES > 50 * 100_000_000L, "maps=" + maps);
  }
}
