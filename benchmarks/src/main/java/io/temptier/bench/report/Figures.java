/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.report;

import java.util.Locale;

/** Figures as benchmarks write them. */
public final class Figures {
  private static final double DIGITS = 1e4;

  private Figures() {}

  /** For people: three digits that count, and never an exponent. */
  public static String text(double value) {
    int digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  /** For people: so many digits after the point. */
  public static String text(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  /** For programs: four digits after the point. */
  public static double round(double value) {
    return Math.round(value * DIGITS) / DIGITS;
  }
}
