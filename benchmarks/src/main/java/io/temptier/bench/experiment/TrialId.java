// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Which trial.
 *
 * @param setting the name of its setting
 * @param round counted from 1
 * @param arm its arm
 */
public record TrialId(String setting, int round, Arm arm) {
  /** All trials of a setting, in the order to run them: each round begins with another arm. */
  public static List<TrialId> of(ExperimentPlan plan, Setting setting) {
    List<TrialId> trials = new ArrayList<>();
    List<Arm> arms = new ArrayList<>(plan.arms());
    for (int round = 1; round <= plan.rounds(); round++) {
      for (Arm arm : arms) {
        trials.add(new TrialId(setting.name(), round, arm));
      }
      Collections.rotate(arms, -1);
    }
    return trials;
  }

  /** The name of its file. */
  String file() {
    return setting.replaceAll("[^0-9A-Za-z]", "-") + "-" + round + "-" + arm.label() + ".json";
  }

  @Override
  public String toString() {
    return setting + ", round " + round + ", " + arm.label();
  }
}
