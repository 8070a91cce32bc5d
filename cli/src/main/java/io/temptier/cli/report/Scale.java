// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.report;

import java.util.Locale;

/**
 * An axis from zero.
 *
 * @param most its end, a round number
 * @param step between its marks
 */
record Scale(double most, double step) {
  private static final int MARKS = 5;

  /** One that reaches {@code value}. */
  static Scale upTo(double value) {
    double reach = value > 0 ? value : 1;
    double raw = reach / MARKS;
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    double step = 10 * power;
    for (double factor : new double[] {5, 2, 1}) {
      if (factor * power >= raw) {
        step = factor * power;
      }
    }
    return new Scale(Math.ceil(reach / step - 1e-9) * step, step);
  }

  /** Where a value lies, 0 to 1. */
  double at(double value) {
    return Math.min(1, value / most);
  }

  /** How many marks there are above zero. */
  int marks() {
    return (int) Math.round(most / step);
  }

  /** The text of a mark. */
  String label(int mark) {
    double value = mark * step;
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%.2g", value);
  }
}
