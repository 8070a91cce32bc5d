// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import java.util.List;
import java.util.Set;

/**
 * A job of a trace.
 *
 * @param submitMillis when it was submitted, since any moment that is the same for all jobs
 * @param maps its map tasks, in the order in which they may begin
 * @param hosts that its tasks ran on, as far as they are known
 * @param user whose it is; empty where nobody knows
 */
public record TraceJob(
    String id,
    long submitMillis,
    List<MapTask> maps,
    List<ReduceTask> reduces,
    Set<String> hosts,
    String user) {
  public TraceJob {
    maps = List.copyOf(maps);
    reduces = List.copyOf(reduces);
    hosts = Set.copyOf(hosts);
  }

  /** One whose hosts and user nobody knows. */
  public TraceJob(String id, long submitMillis, List<MapTask> maps, List<ReduceTask> reduces) {
    this(id, submitMillis, maps, reduces, Set.of(), "");
  }

  /**
   * A map task, or a task of Spark's.
   *
   * @param inputBytes read from HDFS
   * @param outputBytes of its output on disk, 0 in a job without reduces
   * @param resultBytes written to HDFS
   * @param spilledBytes written to disk before the output and deleted at the end; {@link #BY_SORT}
   *     where it is what the sort's memory does not hold
   * @param notBeforeMillis after the job's submission: it does not begin sooner
   */
  public record MapTask(
      long millis,
      long inputBytes,
      long outputBytes,
      long resultBytes,
      long spilledBytes,
      long notBeforeMillis) {
    /** Follows from the output, as in MapReduce. */
    static final long BY_SORT = -1;

    /** One of MapReduce. */
    public MapTask(long millis, long inputBytes, long outputBytes, long resultBytes) {
      this(millis, inputBytes, outputBytes, resultBytes, BY_SORT, 0);
    }

    /** One of which only the temporary data is known. */
    public MapTask(long millis, long outputBytes) {
      this(millis, 0, outputBytes, 0);
    }
  }

  /**
   * A reduce task.
   *
   * @param inputBytes that it fetched
   * @param resultBytes written to HDFS
   */
  public record ReduceTask(long millis, long inputBytes, long resultBytes) {
    /** One of which only the temporary data is known. */
    public ReduceTask(long millis, long inputBytes) {
      this(millis, inputBytes, 0);
    }
  }

  int tasks() {
    return maps.size() + reduces.size();
  }
}
