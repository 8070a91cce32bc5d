/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.demotion;

import io.temptier.cli.report.Sample;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was measured.
 *
 * @param plan what was to be done
 * @param trials in the order they were run
 * @param disks what the disks are, by their names
 * @param facts machine, versions, command, load: what, and its value
 */
record DemotionResult(
    DemotionPlan plan, List<Trial> trials, Map<String, String> disks, Map<String, String> facts) {
  /** How many times as long a job may take with demotion. */
  static final double GOAL = 1.05;

  DemotionResult {
    trials = List.copyOf(trials);
  }

  /** The jobs' seconds with demotion, or without. */
  Sample seconds(boolean demotion) {
    return new Sample(
        trials.stream().filter(trial -> trial.demotion() == demotion).map(Trial::seconds).toList());
  }

  /** Median with demotion by median without. */
  double ratio() {
    return seconds(true).median() / seconds(false).median();
  }

  /** Why the trials compare something else than demotion; empty when they do not. */
  Optional<String> invalid() {
    for (Trial trial : trials) {
      if (trial.demotion() && trial.bytesDemoted() == 0) {
        return Optional.of(
            "with demotion on nothing was demoted"
                + (trial.off() == null
                    ? ", the fast disk was at most "
                        + Math.round(100 * trial.peakFill())
                        + " % full. Give more --rows"
                    : ": " + trial.off()));
      }
      if (!trial.demotion() && trial.bytesDemoted() > 0) {
        return Optional.of("with demotion off " + trial.bytesDemoted() + " bytes were demoted");
      }
    }
    return Optional.empty();
  }

  /** Whether the goal is met; never when the result is invalid. */
  boolean met() {
    return invalid().isEmpty() && ratio() <= GOAL;
  }
}
