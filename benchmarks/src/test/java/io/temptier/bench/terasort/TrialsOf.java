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

import io.temptier.bench.testbed.DiskSpeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Results that nobody measured. */
final class TrialsOf {
  private TrialsOf() {}

  static TeraSortPlan plan(Experiment experiment, int rounds) {
    return new TeraSortPlan(
        experiment,
        1_000_000,
        rounds,
        experiment.arms().stream().filter(arm -> arm != Arm.MERGERFS).toList(),
        new DiskSpeed(30, 40),
        128 << 10,
        4L << 30,
        32 << 20,
        1200);
  }

  static Trial trial(String setting, int round, Arm arm, double seconds) {
    return trial(setting, round, arm, seconds, 0, true);
  }

  static Trial trial(
      String setting, int round, Arm arm, double seconds, int failedTasks, boolean right) {
    Moment moment =
        new Moment(
            1,
            0.5,
            0.2,
            Map.of("hdd0", new DiskRate(1, 2, 0.3), "nvme0", new DiskRate(4, 5, 0.1)),
            new Moment.TempBytes(100, 50));
    return new Trial(
        new TrialId(setting, round, arm),
        right,
        right ? "SUCCEEDED" : "FAILED",
        right,
        seconds,
        seconds + 5,
        failedTasks,
        seconds,
        Map.of("hdd0", 7L, "nvme0", 8L),
        Map.of("hdd0", 9L, "nvme0", 10L),
        Map.of("NVME_BYTES", 11L),
        "0.1 0.2 0.3",
        List.of(moment));
  }

  /** A round of each arm, in the plan's order of arms. */
  static List<Trial> round(TeraSortPlan plan, String setting, int round, double... seconds) {
    List<Trial> trials = new ArrayList<>();
    for (int i = 0; i < seconds.length; i++) {
      trials.add(trial(setting, round, plan.arms().get(i), seconds[i]));
    }
    return trials;
  }

  static TeraSortResult result(TeraSortPlan plan, List<Trial> trials) {
    return new TeraSortResult(plan, trials, List.of("mergerfs: <b>"), Map.of("command", "x <b>"));
  }
}
