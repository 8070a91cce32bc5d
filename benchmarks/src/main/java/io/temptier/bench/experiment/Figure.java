// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import java.util.List;

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

  /** The same figure of several trials, ascending. Of none all it says is no number. */
  public record Sample(List<Double> sorted) {
    public Sample {
      sorted = sorted.stream().sorted().toList();
    }

    /** The middle one, or the mean of the two in the middle. */
    public double median() {
      return (at((sorted.size() - 1) / 2) + at(sorted.size() / 2)) / 2;
    }

    public double min() {
      return at(0);
    }

    public double max() {
      return at(sorted.size() - 1);
    }

    private double at(int index) {
      return sorted.isEmpty() ? Double.NaN : sorted.get(index);
    }
  }
}
