// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import java.util.List;

/** What the same thing took, several times: seconds, ascending, at least one. */
public record Sample(List<Double> sorted) {
  public Sample {
    sorted = sorted.stream().sorted().toList();
  }

  /** The middle one, or the mean of the two in the middle. */
  public double median() {
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }

  public double min() {
    return sorted.get(0);
  }

  public double max() {
    return sorted.get(sorted.size() - 1);
  }
}
