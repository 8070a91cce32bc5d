// SPDX-License-Identifier: Apache-2.0
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
  private final TaskTally tally = new TaskTally();
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
