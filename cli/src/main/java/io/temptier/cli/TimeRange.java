// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import io.temptier.tier.text.Durations;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** Range of time from {@code --since} to {@code --until}, as people type them. */
public final class TimeRange {
  public static final TimeRange ALL = new TimeRange(Long.MIN_VALUE, Long.MAX_VALUE);

  /** The first moment, milliseconds since 1970. */
  private final long fromMillis;

  /** The first one after it. */
  private final long toMillis;

  TimeRange(long fromMillis, long toMillis) {
    this.fromMillis = fromMillis;
    this.toMillis = toMillis;
  }

  /** Parses both; what is null is without bound. A day is from its beginning, or to its end. */
  public static TimeRange of(Terminal terminal, @Nullable String since, @Nullable String until) {
    Clock clock = Clock.system(ZoneId.systemDefault());
    return new TimeRange(
        since == null
            ? ALL.fromMillis
            : terminal.parse("--since", since, text -> parse(text, clock, Duration.ZERO)),
        until == null
            ? ALL.toMillis
            : terminal.parse("--until", until, text -> parse(text, clock, Duration.ofDays(1))));
  }

  /**
   * Parses how long ago ({@code 12h}), a date, to which {@code day} is added, or a date and a time.
   *
   * @throws IllegalArgumentException when it is none
   */
  static long parse(String text, Clock clock, Duration day) {
    try {
      if (!text.contains("-")) {
        return clock.instant().minus(Durations.parse(text)).toEpochMilli();
      }
      if (text.endsWith("Z")) {
        return Instant.parse(text).toEpochMilli();
      }
      LocalDateTime time =
          text.contains("T")
              ? LocalDateTime.parse(text)
              : LocalDate.parse(text).plusDays(day.toDays()).atStartOfDay();
      return time.atZone(clock.getZone()).toInstant().toEpochMilli();
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is no time: expected such as 12h, 2026-01-31 or 2026-01-31T22:00", e);
    }
  }

  public boolean has(long millis) {
    return millis >= fromMillis && millis < toMillis;
  }

  /** True if any moment of a span, its ends included, is in the range. */
  public boolean meets(long beginMillis, long endMillis) {
    return endMillis >= fromMillis && beginMillis < toMillis;
  }
}
