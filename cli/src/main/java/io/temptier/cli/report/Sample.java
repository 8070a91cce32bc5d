// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.report;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import java.util.List;
import java.util.stream.DoubleStream;

/** What the same thing took, several times. */
@AutoValue
public abstract class Sample {
  /** Seconds, ascending, at least one. */
  public abstract List<Double> sorted();

  public static Sample of(List<Double> sorted) {
    sorted = sorted.stream().sorted().collect(Immutable.toList());
    return new AutoValue_Sample(sorted);
  }

  /** The middle one, or the mean of the two in the middle. */
  public double median() {
    int half = sorted().size() / 2;
    return sorted().size() % 2 == 1
        ? sorted().get(half)
        : (sorted().get(half - 1) + sorted().get(half)) / 2;
  }

  /** The middle one of such numbers, at least one. */
  public static double median(DoubleStream numbers) {
    return Sample.of(numbers.boxed().collect(Immutable.toList())).median();
  }

  public double min() {
    return sorted().get(0);
  }

  public double max() {
    return sorted().get(sorted().size() - 1);
  }
}
