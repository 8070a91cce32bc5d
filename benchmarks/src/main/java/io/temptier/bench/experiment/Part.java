// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.experiment.Trial.TrialId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A part of an experiment that is measured on one testbed.
 *
 * @param settings what the arms are measured in, by names that no other part has
 */
public record Part(List<String> settings, List<Arm> arms) {
  public Part {
    settings = List.copyOf(settings);
    arms = List.copyOf(arms);
  }

  /** All its trials, in the order to make them: each round begins with another arm. */
  public List<TrialId> trials(int rounds) {
    List<TrialId> trials = new ArrayList<>();
    List<Arm> inTurn = new ArrayList<>(arms);
    for (int round = 1; round <= rounds; round++) {
      for (String setting : settings) {
        for (Arm arm : inTurn) {
          trials.add(new TrialId(setting, round, arm));
        }
      }
      Collections.rotate(inTurn, -1);
    }
    return trials;
  }
}
