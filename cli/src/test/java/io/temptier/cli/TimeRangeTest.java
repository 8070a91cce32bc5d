// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeRangeTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-02-01T12:00:00Z"), ZoneOffset.UTC);

  @ParameterizedTest
  @CsvSource({
    "1m, 2026-02-01T11:59:00Z",
    "2026-01-31, 2026-01-31T00:00:00Z",
    "2026-01-31T22:00, 2026-01-31T22:00:00Z",
    "2026-01-31T22:00:05Z, 2026-01-31T22:00:05Z"
  })
  void timesAsPeopleTypeThem(String text, Instant time) {
    assertEquals(time.toEpochMilli(), TimeRange.parse(text, CLOCK, Duration.ZERO));
  }

  @ParameterizedTest
  @ValueSource(strings = {"yesterday", "2023-99-99", ""})
  void whatIsNoTime(String text) {
    Throwable failure =
        assertThrows(
            IllegalArgumentException.class, () -> TimeRange.parse(text, CLOCK, Duration.ZERO));
    assertTrue(failure.toString().endsWith("2026-01-31T22:00"), failure.toString());
  }

  @Test
  void aDayLastsUntilItsEnd() {
    assertEquals(
        Instant.parse("2026-02-01T00:00:00Z").toEpochMilli(),
        TimeRange.parse("2026-01-31", CLOCK, Duration.ofDays(1)));
  }

  @Test
  void aSpanMeetsARangeThatItReachesInto() {
    TimeRange range = TimeRange.of(100, 200);
    assertTrue(range.has(100) && range.has(199));
    assertFalse(range.has(99) || range.has(200));
    assertTrue(range.meets(50, 100) && range.meets(199, 300) && range.meets(0, 1000));
    assertFalse(range.meets(50, 99) || range.meets(200, 300));
  }
}
