// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.trace;

import java.util.List;

/**
 * A job of a trace.
 *
 * @param submitMillis when it was submitted, since any moment that is the same for all jobs
 * @param maps in the order in which they may begin
 */
public record TraceJob(String id, long submitMillis, List<MapTask> maps, List<ReduceTask> reduces) {
  /**
   * A map task.
   *
   * @param inputBytes read from HDFS
   * @param outputBytes of its output on disk, 0 in a job without reduces
   * @param resultBytes written to HDFS
   */
  public record MapTask(long millis, long inputBytes, long outputBytes, long resultBytes) {}

  /**
   * A reduce task.
   *
   * @param inputBytes that it fetched
   * @param resultBytes written to HDFS
   */
  public record ReduceTask(long millis, long inputBytes, long resultBytes) {}

  int tasks() {
    return maps.size() + reduces.size();
  }
}
