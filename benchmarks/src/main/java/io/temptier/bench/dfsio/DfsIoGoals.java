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
package io.temptier.bench.dfsio;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.report.Goal;
import io.temptier.cli.report.Sample;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What TempTier is to do for HDFS, or not to do to it. */
final class DfsIoGoals {
  private DfsIoGoals() {}

  /** Where next to no temporary data is written, nothing is to be won, and nothing to be lost. */
  static List<Goal> alone(ExperimentResult result) {
    return List.of(
        result.noSlower(
            "dfsio-vs-hdd",
            "TestDFSIO: median no slower than stock-hdd's slowest round",
            setting(result),
            Arm.STOCK_HDD),
        result.nothingFails("dfsio-failed-tasks", "TestDFSIO: no failed task, no byte missing"));
  }

  /** What HDFS gains when temporary data leaves its disks. */
  static List<Goal> besideSort(ExperimentResult result) {
    return List.of(
        Goal.atLeast(
            "e5-write",
            "HDFS beside a sort: writes at least as fast as with stock-hdd",
            ratio(result, DfsIoBesideSort.WRITE_BESIDE),
            1),
        Goal.atLeast(
            "e5-read",
            "HDFS beside a sort: reads at least as fast as with stock-hdd",
            ratio(result, DfsIoBesideSort.READ_BESIDE),
            1),
        result.nothingFails(
            "e5-failed-tasks", "HDFS beside a sort: no failed task, all output right"));
  }

  /** TempTier's median of a figure by stock-hdd's. */
  private static @Nullable Double ratio(ExperimentResult result, String figure) {
    Sample ours = figure(result, Arm.TEMPTIER, figure);
    Sample theirs = figure(result, Arm.STOCK_HDD, figure);
    return ours == null || theirs == null || theirs.median() == 0
        ? null
        : ours.median() / theirs.median();
  }

  private static @Nullable Sample figure(ExperimentResult result, Arm arm, String figure) {
    return result.arm(setting(result), arm).map(one -> one.figure(figure)).orElse(null);
  }

  private static String setting(ExperimentResult result) {
    return result.plan().experiment().settings().get(0).name();
  }
}
