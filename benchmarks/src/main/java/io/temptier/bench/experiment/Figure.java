// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.report.Sample;

/**
 * A figure that is measured of an arm.
 *
 * @param name for programs; what {@link TrialOutcome#figures} calls it
 * @param title for people, with its unit, such as {@code write, MB/s}
 * @param peak whether its most over the rounds is told, and not its median
 */
public record Figure(String name, String title, double unit, boolean peak) {
  /** The time of a trial, {@link Trial#seconds}. */
  public static final Figure SECONDS = new Figure("seconds", "s");

  public Figure(String name, String title) {
    this(name, title, 1, false);
  }

  public double of(Sample values) {
    return peak ? values.max() : values.median();
  }
}
