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
 * @param plan what was to be done
 * @param trials in the order of the plan
 * @param facts machine, versions, command, load: what, and its value
 */
public record ExperimentResult(ExperimentPlan plan, List<Trial> trials, Map<String, String> facts) {
  public ExperimentResult {
    trials = List.copyOf(trials);
  }

  /** What was to be reached, and what came of it. */
  public List<Goal> goals() {
    return plan.workload().goals(this);
  }

  /** Every arm on every node that it was run on. */
  public List<ArmResult> arms() {
    List<ArmResult> arms = new ArrayList<>();
    for (Setting setting : plan.experiment().settings()) {
      for (Arm arm : plan.arms()) {
        arm(setting.name(), arm).ifPresent(arms::add);
      }
    }
    return arms;
  }

  /** One arm on one node; empty when it was not run there. */
  public Optional<ArmResult> arm(String setting, Arm arm) {
    List<Trial> own =
        trials.stream()
            .filter(trial -> trial.id().setting().equals(setting) && trial.id().arm().equals(arm))
            .toList();
    return own.isEmpty()
        ? Optional.empty()
        : plan.experiment().settings().stream()
            .filter(one -> one.name().equals(setting))
            .findFirst()
            .map(one -> new ArmResult(one, arm, own));
  }

  /** The seconds of an arm on one node; null when none of its trials counts. */
  public @Nullable Sample seconds(String setting, Arm arm) {
    return arm(setting, arm).map(ArmResult::seconds).orElse(null);
  }

  /** A figure of the workload's own on one node; null when no trial that counts has it. */
  public @Nullable Sample figure(String setting, Arm arm, String name) {
    return arm(setting, arm).map(one -> one.figure(name)).orElse(null);
  }

  /** The name of the first node, which is the only one of many an experiment. */
  public String setting() {
    return plan.experiment().settings().get(0).name();
  }

  /** TempTier's median by that of another arm on one node; null where either has none. */
  public @Nullable Double ratio(String setting, Arm other) {
    return ratio(setting, Arm.TEMPTIER, other);
  }

  /** One arm's median by that of another on one node; null where either has none. */
  public @Nullable Double ratio(String setting, Arm one, Arm other) {
    Sample ours = seconds(setting, one);
    Sample theirs = seconds(setting, other);
    return ours == null || theirs == null ? null : ours.median() / theirs.median();
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
  public Goal noSlower(String id, String goal, String setting, Arm other) {
    Sample ours = seconds(setting, Arm.TEMPTIER);
    Sample theirs = seconds(setting, other);
    boolean met = ours != null && theirs != null && ours.median() <= theirs.max();
    return new Goal(id, goal, ratio(setting, other), "x", met);
  }
}
