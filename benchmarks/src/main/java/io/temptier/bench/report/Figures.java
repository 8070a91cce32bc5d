// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import java.util.Locale;

/** Figures as benchmarks write them. */
public final class Figures {
  private static final double DIGITS = 1e4;

  private Figures() {}

  /** For people: three digits that count, and never an exponent. */
  public static String text(double value) {
    return text(value, value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3);
  }

  /** For people: so many digits after the point; a dash for what is no number. */
  public static String text(double value, int digits) {
    return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  /** For programs: four digits after the point. */
  public static double round(double value) {
    return Math.round(value * DIGITS) / DIGITS;
  }
}
