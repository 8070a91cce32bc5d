// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import io.temptier.tier.Durations;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;

/** Times as people type them. */
final class TimeOption {
  private TimeOption() {}

  /**
   * Parses a time: how long ago ({@code 12h}), a date, or a date and a time, here or with a zone.
   *
   * @throws IllegalArgumentException when it is none
   */
  static Instant parse(String text, Clock clock) {
    if (!text.contains("-")) {
      return clock.instant().minus(Durations.parse(text));
    }
    try {
      if (text.endsWith("Z")) {
        return Instant.parse(text);
      }
      return text.contains("T")
          ? LocalDateTime.parse(text).atZone(clock.getZone()).toInstant()
          : LocalDate.parse(text).atStartOfDay(clock.getZone()).toInstant();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is no time: expected such as 12h, 2026-01-31 or 2026-01-31T22:00", e);
    }
  }
}
