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

import io.temptier.bench.testbed.DiskSpeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Results with made-up figures. */
final class Trials {
  private Trials() {}

  /** A result of these trials. */
  static DemotionResult result(List<Trial> trials) {
    return new DemotionResult(
        new DemotionPlan(1_000_000, trials.size() / 2, new DiskSpeed(30, 40)),
        trials,
        Map.of("fast", "loop0"),
        Map.of("command", "./temptier bench demotion"));
  }

  /** As many rounds as there are pairs of seconds, first without demotion, then with. */
  static DemotionResult result(double... seconds) {
    List<Trial> trials = new ArrayList<>();
    for (int i = 0; i < seconds.length; i++) {
      trials.add(i % 2 == 0 ? off(seconds[i], 0) : on(seconds[i], 50 << 20, null));
    }
    return result(trials);
  }

  static Trial off(double seconds, long bytesDemoted) {
    return new Trial(false, seconds, bytesDemoted, bytesDemoted >> 20, 0.7, 0, "it is off");
  }

  static Trial on(
      double seconds, long bytesDemoted, @org.jspecify.annotations.Nullable String off) {
    return new Trial(true, seconds, bytesDemoted, bytesDemoted >> 20, 0.5, 0, off);
  }
}
