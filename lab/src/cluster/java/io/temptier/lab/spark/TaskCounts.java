// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.spark;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.FetchFailed;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Counts what became of an application's tasks. Called by Spark's listener bus. */
final class TaskCounts extends SparkListener {
  /**
   * Begins the line of the tasks: how many attempts ended, failed, could not fetch; then bytes
   * spilled to disk, bytes written for shuffles, and milliseconds of CPU.
   */
  static final String TASKS = "TASKS";

  private static final long NANOS_OF_MILLI = 1_000_000;

  private final AtomicLong ended = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong notFetched = new AtomicLong();
  private final AtomicLong spilledBytes = new AtomicLong();
  private final AtomicLong shuffledBytes = new AtomicLong();
  private final AtomicLong cpuNanos = new AtomicLong();

  @Override
  public void onTaskEnd(SparkListenerTaskEnd end) {
    ended.incrementAndGet();
    // The loser of two speculative attempts is killed, and did not fail.
    if (end.taskInfo().failed()) {
      failed.incrementAndGet();
      System.out.println("failed: " + end.reason());
    }
    if (end.reason() instanceof FetchFailed) {
      notFetched.incrementAndGet();
    }
    if (end.taskMetrics() != null) {
      spilledBytes.addAndGet(end.taskMetrics().diskBytesSpilled());
      shuffledBytes.addAndGet(end.taskMetrics().shuffleWriteMetrics().bytesWritten());
      cpuNanos.addAndGet(end.taskMetrics().executorCpuTime());
    }
  }

  Object[] fields() {
    return new Object[] {
      TASKS, ended, failed, notFetched, spilledBytes, shuffledBytes, cpuNanos.get() / NANOS_OF_MILLI
    };
  }
}
