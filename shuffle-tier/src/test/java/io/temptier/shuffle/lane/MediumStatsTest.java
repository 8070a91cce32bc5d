// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.metrics2.util.Quantile;
import org.junit.jupiter.api.Test;

class MediumStatsTest {
  private final AtomicLong clock = new AtomicLong(-7);
  private final MediumStats stats = new MediumStats(clock::get);

  @Test
  void aStallIsAReadOfHalfASecond() {
    stats.read(MediumStats.STALL_NANOS - 1);
    assertEquals(0, stats.stalls());
    stats.read(MediumStats.STALL_NANOS);
    stats.read(TimeUnit.MINUTES.toNanos(1));
    assertEquals(2, stats.stalls());
  }

  @Test
  void quantilesAreThoseOfTheWindowThatEnded() {
    for (int micros = 10_000; micros > 0; micros--) {
      stats.read(TimeUnit.MICROSECONDS.toNanos(micros));
    }
    assertEquals(0, stats.latencyMicros(MediumStats.P50), "the window is not over");
    clock.addAndGet(MediumStats.WINDOW_NANOS);
    assertNear(MediumStats.P50);
    stats.read(TimeUnit.SECONDS.toNanos(1));
    assertNear(MediumStats.P99);
    assertNear(MediumStats.P999);
    clock.addAndGet(MediumStats.WINDOW_NANOS);
    assertEquals(1_000_000, stats.latencyMicros(MediumStats.P50));
  }

  /** Within the error that the quantile allows. */
  private void assertNear(Quantile quantile) {
    double expected = quantile.quantile * 10_000;
    double allowed = quantile.error * 10_000 + 1;
    long shown = stats.latencyMicros(quantile);
    assertTrue(Math.abs(shown - expected) <= allowed, quantile.quantile + ": " + shown);
  }

  @Test
  void aWindowInWhichNothingWasReadShowsZero() {
    stats.read(1_000_000);
    clock.addAndGet(MediumStats.WINDOW_NANOS);
    assertEquals(1000, stats.latencyMicros(MediumStats.P99));
    clock.addAndGet(MediumStats.WINDOW_NANOS);
    assertEquals(0, stats.latencyMicros(MediumStats.P99));
  }
}
