// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.report.Goal;
import io.temptier.cli.report.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was measured.
 *
 * @param facts machine, versions, command, load: what, and its value
 */
public record ExperimentResult(ExperimentPlan plan, List<Trial> trials, Map<String, String> facts) {
  public ExperimentResult {
    trials = List.copyOf(trials);
  }

  public List<Goal> goals() {
    return plan.goals(this);
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
  @Nullable Double ofFirst(ArmResult arm) {
    return arms().stream()
        .filter(one -> one.setting().equals(arm.setting()))
        .findFirst()
        .flatMap(first -> Optional.ofNullable(arm.roundRatio(first, plan.compared().name())))
        .orElse(null);
  }

  /** A figure of an arm in one setting; null when no trial that counts has it. */
  public @Nullable Sample figure(String setting, Arm arm, String name) {
    return arm(setting, arm.label()).map(one -> one.figure(name)).orElse(null);
  }

  /**
   * A figure of one arm by that of another, the median of the rounds' ratios; null where no round
   * has both.
   */
  public @Nullable Double roundRatio(
      String name, String setting, String label, String otherSetting, String otherLabel) {
    Optional<ArmResult> other = arm(otherSetting, otherLabel);
    return arm(setting, label)
        .flatMap(one -> other.map(than -> one.roundRatio(than, name)))
        .orElse(null);
  }

  public boolean allCount() {
    return trials.stream().allMatch(Trial::counts);
  }

  /** The name of the first setting, which is the only one of many an experiment. */
  public String setting() {
    return plan.settings().get(0);
  }

  /** TempTier's median by that of another arm on one node; null where either has none. */
  public @Nullable Double ratio(String setting, Arm other) {
    return ratio(setting, Figure.SECONDS.name(), Arm.TEMPTIER, other);
  }

  /** One arm's median of a figure by that of another; null where either has none. */
  public @Nullable Double ratio(String setting, String name, Arm one, Arm other) {
    Sample ours = figure(setting, one, name);
    Sample theirs = figure(setting, other, name);
    return ours == null || theirs == null || theirs.median() == 0
        ? null
        : ours.median() / theirs.median();
  }

  /** The slowest median by the fastest, where there are several nodes and every one has one. */
  public @Nullable Double spread(Arm arm) {
    List<Sample> all =
        arms().stream()
            .filter(one -> one.arm().equals(arm))
            .flatMap(one -> Optional.ofNullable(one.seconds()).stream())
            .toList();
    if (plan.settings().size() < 2 || all.size() < plan.settings().size()) {
      return null;
    }
    Sample medians = Sample.of(all.stream().map(Sample::median).toList());
    return medians.max() / medians.min();
  }

  /**
   * The goal that TempTier's median is at most so much of another arm's, in words behind {@code
   * what}.
   */
  public Goal atMost(String id, String what, String setting, Arm other, double most) {
    String goal = what + ": at most " + most + "x of " + other.label() + "'s time";
    return Goal.atMost(id, goal, ratio(setting, other), most);
  }

  /** The goal that TempTier's median of a figure is at most so much. */
  public Goal figureAtMost(String id, String goal, String setting, String name, double most) {
    Sample ours = figure(setting, Arm.TEMPTIER, name);
    return Goal.atMost(id, goal, ours == null ? null : ours.median(), most);
  }

  /** The goal that TempTier has no failed task on any node, and all its output is right. */
  public Goal nothingFails(String id, String goal) {
    List<ArmResult> ours = arms().stream().filter(arm -> arm.arm().tiered()).toList();
    Double failed =
        ours.isEmpty() ? null : (double) ours.stream().mapToInt(ArmResult::failedTasks).sum();
    boolean met = failed != null && failed == 0 && ours.stream().allMatch(ArmResult::validated);
    return new Goal(id, goal, failed, "tasks", met);
  }

  /** The goal that TempTier's median is at most another arm's slowest round; tells their ratio. */
  public Goal noSlower(String id, String what, String setting, Arm other) {
    Sample ours = figure(setting, Arm.TEMPTIER, Figure.SECONDS.name());
    Sample theirs = figure(setting, other, Figure.SECONDS.name());
    boolean met = ours != null && theirs != null && ours.median() <= theirs.max();
    String goal = what + ": median no slower than " + other.label() + "'s slowest round";
    return new Goal(id, goal, ratio(setting, other), "x", met);
  }
}
