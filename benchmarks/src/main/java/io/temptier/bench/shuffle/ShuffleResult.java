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
package io.temptier.bench.shuffle;

import io.temptier.bench.report.Goal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was measured.
 *
 * @param plan what was to be done
 * @param handlers the handlers' classes by their arms' names, stock first
 * @param arms every handler in every scenario
 * @param goals what is to be reached, and what was
 * @param disks what the disks are, by their names
 * @param skipped why scenarios with a slow disk were left out, or null
 * @param facts machine, versions, command: what, and its value
 */
record ShuffleResult(
    ShufflePlan plan,
    Map<String, String> handlers,
    List<Arm> arms,
    List<Goal> goals,
    Map<String, String> disks,
    @Nullable String skipped,
    Map<String, String> facts) {
  ShuffleResult {
    arms = List.copyOf(arms);
    goals = List.copyOf(goals);
  }
}
