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
package io.temptier.mapreduce;

import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.TaskAttemptID;

/**
 * TempTier in one task, from its first file to its counters. Life: {@link #begin}, {@link #adopt}
 * what has an allocator, {@link #finish} when the last file is written, {@link #report}.
 *
 * <p>Safe for use by many threads; every method may be called again.
 */
final class TaskTiering {
  private final PlacementTally tally = new PlacementTally();
  private final TaskAllocator allocator;
  private final Runnable unregister;

  private TaskTiering(TaskAttemptID attempt, boolean indexBesideOutput) {
    this.allocator = new TaskAllocator(tally, indexBesideOutput);
    this.unregister = MergerAllocator.register(attempt.toString(), allocator).orElse(() -> {});
  }

  /**
   * Starts placing one task's files.
   *
   * @param indexBesideOutput see {@link TaskAllocator}
   */
  static TaskTiering begin(TaskAttemptID attempt, boolean indexBesideOutput) {
    return new TaskTiering(attempt, indexBesideOutput);
  }

  /** The task's allocator. */
  TaskAllocator allocator() {
    return allocator;
  }

  /** Puts the task's allocator into an object that has one; leaves it as it is where it cannot. */
  void adopt(Object holder) {
    AllocatorSwap.intoInstance(holder, allocator);
  }

  /** The task writes no more temporary files: gives back what it still claims. */
  void finish() {
    unregister.run();
    allocator.finish();
  }

  /** Adds what was placed since the last report to the job's counters. */
  void report(Reporter reporter) {
    tally.reportTo(reporter);
  }
}
