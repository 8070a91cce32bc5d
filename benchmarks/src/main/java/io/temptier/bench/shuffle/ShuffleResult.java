// SPDX-License-Identifier: Apache-2.0
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
