// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.experiment.Figure.Sample;
import io.temptier.bench.experiment.GoalSpec.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was measured.
 *
 * @param facts machine, versions, command, load: what, and its value
 */
public record ExperimentResult(Plan plan, List<Trial> trials, Map<String, String> facts) {
  public ExperimentResult {
    trials = List.copyOf(trials);
  }

  public List<Goal> goals() {
    return plan.experiment().goals().stream().flatMap(goal -> goal.of(this)).toList();
  }

  /** Every arm in every setting that it was measured in. */
  public List<ArmResult> arms() {
    List<ArmResult> arms = new ArrayList<>();
    for (Part part : plan.parts()) {
      for (String setting : part.settings()) {
        part.arms().forEach(arm -> arm(setting, arm.label()).ifPresent(arms::add));
      }
    }
    return arms;
  }

  /** One arm in one setting; empty when it was not measured there. */
  public Optional<ArmResult> arm(String setting, String label) {
    List<Trial> own =
        trials.stream()
            .filter(trial -> trial.id().setting().equals(setting))
            .filter(trial -> trial.id().arm().label().equals(label))
            .toList();
    return own.isEmpty()
        ? Optional.empty()
        : Optional.of(new ArmResult(setting, own.get(0).id().arm(), own));
  }

  /**
   * What arms are compared by, of one against the first that was measured in its setting, as {@link
   * ArmResult#roundRatio}.
   */
  double ofFirst(ArmResult arm) {
    return arms().stream()
        .filter(one -> one.setting().equals(arm.setting()))
        .findFirst()
        .map(first -> arm.roundRatio(first, plan.compared().name()))
        .orElse(Double.NaN);
  }

  public boolean allCount() {
    return trials.stream().allMatch(Trial::counts);
  }

  /** The name of the first setting, which is the only one of many an experiment. */
  public String setting() {
    return plan.settings().get(0);
  }

  /** The slowest median by the fastest, where there are several nodes and every one has one. */
  double spread(String label) {
    Sample medians =
        new Sample(
            arms().stream()
                .filter(one -> one.arm().label().equals(label))
                .map(one -> one.figure(Figure.SECONDS.name()).median())
                .filter(median -> !median.isNaN())
                .toList());
    boolean all = medians.sorted().size() == plan.settings().size() && plan.settings().size() > 1;
    return all ? medians.max() / medians.min() : Double.NaN;
  }

  private List<ArmResult> ours() {
    return arms().stream().filter(arm -> arm.arm().tiered()).toList();
  }

  /** Failed tasks of the arms with TempTier; no number where none was measured. */
  double failedTasks() {
    return ours().isEmpty() ? Double.NaN : ours().stream().mapToInt(ArmResult::failedTasks).sum();
  }

  boolean oursValidated() {
    return ours().stream().allMatch(ArmResult::validated);
  }
}
