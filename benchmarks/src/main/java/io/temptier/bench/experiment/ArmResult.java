// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.experiment.Figure.Sample;
import io.temptier.tier.text.Sizes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

public record ArmResult(String setting, Arm arm, List<Trial> trials) {
  public ArmResult {
    trials = List.copyOf(trials);
  }

  /** A figure of the trials whose job ended well with the right output. */
  public Sample figure(String name) {
    return new Sample(
        trials.stream()
            .filter(Trial::counts)
            .map(trial -> trial.figure(name))
            .filter(value -> !value.isNaN())
            .toList());
  }

  public int failedTasks() {
    return trials.stream().mapToInt(Trial::failedTasks).sum();
  }

  /** How many jobs failed, or were killed for taking too long, or gave wrong output. */
  public int failedJobs() {
    return (int) trials.stream().filter(trial -> !trial.counts()).count();
  }

  public boolean validated() {
    return failedJobs() == 0;
  }

  /**
   * A figure by that of another arm: the median of the rounds' ratios, each of two trials made one
   * after the other, so that what slows the whole machine down for some rounds slows both. No
   * number where no round has both.
   */
  public double roundRatio(ArmResult other, String name) {
    List<Double> ratios = new ArrayList<>();
    for (Trial trial : trials) {
      for (Trial theirs : other.trials) {
        double ratio = trial.figure(name) / theirs.figure(name);
        if (trial.id().round() == theirs.id().round()
            && trial.counts()
            && theirs.counts()
            && !Double.isNaN(ratio)) {
          ratios.add(ratio);
        }
      }
    }
    return new Sample(ratios).median();
  }

  public double mean(ToDoubleFunction<Trial> figure) {
    return trials.stream().mapToDouble(figure).average().orElse(0);
  }

  /** The mean of a number of bytes, for people; says so where disks were not watched. */
  String bytes(ToDoubleFunction<Trial> figure) {
    boolean watched = trials.stream().anyMatch(trial -> !trial.moments().isEmpty());
    return watched ? Sizes.format(Math.round(mean(figure))) : "not seen";
  }

  /** The one to show: that in the middle of those that count. */
  public Trial typical() {
    List<Trial> counting =
        trials.stream()
            .filter(Trial::counts)
            .sorted(Comparator.comparingDouble(Trial::seconds))
            .toList();
    return counting.isEmpty() ? trials.get(0) : counting.get((counting.size() - 1) / 2);
  }
}
