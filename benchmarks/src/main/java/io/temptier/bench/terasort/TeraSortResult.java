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
package io.temptier.bench.terasort;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was measured.
 *
 * @param plan what was to be done
 * @param trials in the order of the plan
 * @param skipped lines that say what was not run, and why
 * @param facts machine, versions, command, load: what, and its value
 */
record TeraSortResult(
    TeraSortPlan plan, List<Trial> trials, List<String> skipped, Map<String, String> facts) {
  TeraSortResult {
    trials = List.copyOf(trials);
    skipped = List.copyOf(skipped);
  }

  /** Every arm on every node that it was run on. */
  List<ArmResult> arms() {
    List<ArmResult> arms = new ArrayList<>();
    for (Setting setting : plan.experiment().settings()) {
      for (Arm arm : plan.arms()) {
        arm(setting.name(), arm).ifPresent(arms::add);
      }
    }
    return arms;
  }

  /** One arm on one node; empty when it was not run there. */
  Optional<ArmResult> arm(String setting, Arm arm) {
    List<Trial> own =
        trials.stream()
            .filter(trial -> trial.id().setting().equals(setting) && trial.id().arm() == arm)
            .toList();
    return own.isEmpty()
        ? Optional.empty()
        : plan.experiment().settings().stream()
            .filter(one -> one.name().equals(setting))
            .findFirst()
            .map(one -> new ArmResult(one, arm, own));
  }
}
