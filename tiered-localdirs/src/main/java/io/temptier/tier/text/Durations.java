// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.text;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as operators write them. */
public final class Durations {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");

  /** More nanoseconds no clock counts. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private Durations() {}

  /**
   * Parses a whole number with a unit: ms, s, m, h or d, any case.
   *
   * @return more than nothing
   * @throws IllegalArgumentException with a text for operators when {@code text} is no duration,
   *     nothing, or more than 100 years
   */
  public static Duration parse(String text) {
    Matcher matcher = DURATION.matcher(text.trim().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          Quoted.of(text)
              + " is not a duration: expected a number with a unit, such as 500ms, 1s, 2m");
    }
    long number = Long.parseLong(matcher.group(1));
    if (number == 0) {
      throw new IllegalArgumentException(Quoted.of(text) + " is not more than nothing");
    }
    String unit = matcher.group(2);
    Duration duration =
        unit.equals("ms")
            ? Duration.ofMillis(number)
            : Duration.parse((unit.equals("d") ? "P" : "PT") + number + unit);
    if (duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          Quoted.of(text) + " is more than the longest duration, " + LONGEST.toDays() + "d");
    }
    return duration;
  }
}
