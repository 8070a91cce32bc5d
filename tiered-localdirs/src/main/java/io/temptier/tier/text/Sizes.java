// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.text;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Byte sizes and percentages as operators write them. Units are binary whatever their spelling: as
 * everywhere in Hadoop, {@code 1g}, {@code 1GB} and {@code 1GiB} are all 1073741824 bytes.
 *
 * <p>All methods are pure and safe for use by many threads.
 */
public final class Sizes {
  /** Patterns for parsing, compiled when first needed: most tasks only add. */
  private static final class Syntax {
    /** Digits are bounded so that a hostile number costs nothing to parse. */
    static final Pattern SIZE =
        Pattern.compile("(\\d{1,19}(?:\\.\\d{1,19})?)\\s*(?:([kmgtp])(?:i?b)?|b|bytes)?");

    static final Pattern PERCENT = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)\\s*%");
    static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);
  }

  private static final String UNITS = "kmgtp";
  private static final String SIZE_EXAMPLES = "expected a size such as 64m, 200g, 1.5t or 1048576";

  private Sizes() {}

  /** The sum of two that are not negative, or the largest number. */
  public static long sum(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }

  /**
   * Parses a size: a number, an optional fraction, and an optional unit k, m, g, t or p (powers of
   * 1024, any case, optionally followed by {@code b} or {@code ib}).
   *
   * @return bytes, rounded down; never negative
   * @throws IllegalArgumentException with a text for operators when {@code text} is no size, or
   *     more than {@link Long#MAX_VALUE}
   */
  public static long parse(String text) {
    Matcher matcher = Syntax.SIZE.matcher(text.trim().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(Quoted.of(text) + " is not a size: " + SIZE_EXAMPLES);
    }
    String number = matcher.group(1);
    String unit = matcher.group(2);
    if (unit == null && number.indexOf('.') >= 0) {
      throw new IllegalArgumentException(
          Quoted.of(text) + " has a fraction but no unit: " + SIZE_EXAMPLES);
    }
    int power = unit == null ? 0 : UNITS.indexOf(unit) + 1;
    BigDecimal bytes = new BigDecimal(number).multiply(BigDecimal.valueOf(1L << (10 * power)));
    if (bytes.compareTo(Syntax.MAX) > 0) {
      throw new IllegalArgumentException(
          Quoted.of(text) + " is more than the largest size, " + Long.MAX_VALUE + " bytes");
    }
    return bytes.longValue();
  }

  /**
   * Parses a percentage such as {@code 15%} or {@code 2.5 %}. The sign is required, so that {@code
   * 15} and {@code 0.15} cannot be taken for one another.
   *
   * @return the fraction, 0 to 1
   * @throws IllegalArgumentException with a text for operators when {@code text} is no percentage,
   *     or over 100 %
   */
  public static double parsePercent(String text) {
    Matcher matcher = Syntax.PERCENT.matcher(text.trim());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          Quoted.of(text) + " is not a percentage: expected a number with a % sign, such as 15%");
    }
    double fraction = new BigDecimal(matcher.group(1)).movePointLeft(2).doubleValue();
    if (fraction > 1) {
      throw new IllegalArgumentException(Quoted.of(text) + " is over 100%");
    }
    return fraction;
  }

  /**
   * A size for people: at most one decimal, the largest binary unit that leaves at least one, for
   * example {@code 1.5 GiB}. {@link #parse} reads it back, less what the rounding took.
   *
   * @param bytes any number, {@code LocalDir.NO_CAP} included
   */
  public static String format(long bytes) {
    // Long.MIN_VALUE has no positive twin; a double does.
    double left = Math.abs((double) bytes);
    int power = 0;
    // 1023.95 would be shown as 1024.0 of its unit; it is 1 of the next.
    while (left >= 1023.95 && power < UNITS.length()) {
      left /= 1024;
      power++;
    }
    if (power == 0) {
      return bytes + " B";
    }
    String number = String.format(Locale.ROOT, "%.1f", left);
    String trimmed = number.endsWith(".0") ? number.substring(0, number.length() - 2) : number;
    return (bytes < 0 ? "-" : "")
        + trimmed
        + " "
        + Character.toUpperCase(UNITS.charAt(power - 1))
        + "iB";
  }

  /** A fraction as a percentage for people, for example {@code 15%} or {@code 2.5%}. */
  public static String formatPercent(double fraction) {
    return BigDecimal.valueOf(fraction)
            .movePointRight(2)
            .setScale(2, java.math.RoundingMode.HALF_UP)
            .stripTrailingZeros()
            .toPlainString()
        + "%";
  }
}
