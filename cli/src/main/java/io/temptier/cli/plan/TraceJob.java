// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import java.util.List;
import java.util.Set;

/** A job of a trace. */
@AutoValue
public abstract class TraceJob {
  public abstract String id();

  /** When it was submitted, since any moment that is the same for all jobs. */
  public abstract long submitMillis();

  /** Its map tasks, in the order in which they may begin. */
  public abstract List<MapTask> maps();

  public abstract List<ReduceTask> reduces();

  /** That its tasks ran on, as far as they are known. */
  public abstract Set<String> hosts();

  /** Whose it is; empty where nobody knows. */
  public abstract String user();

  public static TraceJob of(
      String id,
      long submitMillis,
      List<MapTask> maps,
      List<ReduceTask> reduces,
      Set<String> hosts,
      String user) {
    maps = Immutable.copyOf(maps);
    reduces = Immutable.copyOf(reduces);
    hosts = Immutable.copyOf(hosts);
    return new AutoValue_TraceJob(id, submitMillis, maps, reduces, hosts, user);
  }

  /** One whose hosts and user nobody knows. */
  public static TraceJob of(
      String id, long submitMillis, List<MapTask> maps, List<ReduceTask> reduces) {
    return of(id, submitMillis, maps, reduces, Immutable.setOf(), "");
  }

  /** A map task, or a task of Spark's. */
  @AutoValue
  public abstract static class MapTask {

    /** Follows from the output, as in MapReduce. */
    static final long BY_SORT = -1;

    public abstract long millis();

    /** Read from HDFS. */
    public abstract long inputBytes();

    /** Of its output on disk, 0 in a job without reduces. */
    public abstract long outputBytes();

    /** Written to HDFS. */
    public abstract long resultBytes();

    /**
     * Written to disk before the output and deleted at the end; {@link #BY_SORT} where it is what
     * the sort's memory does not hold.
     */
    public abstract long spilledBytes();

    /** After the job's submission: it does not begin sooner. */
    public abstract long notBeforeMillis();

    public static MapTask of(
        long millis,
        long inputBytes,
        long outputBytes,
        long resultBytes,
        long spilledBytes,
        long notBeforeMillis) {
      return new AutoValue_TraceJob_MapTask(
          millis, inputBytes, outputBytes, resultBytes, spilledBytes, notBeforeMillis);
    }

    /** One of MapReduce. */
    public static MapTask of(long millis, long inputBytes, long outputBytes, long resultBytes) {
      return of(millis, inputBytes, outputBytes, resultBytes, BY_SORT, 0);
    }

    /** One of which only the temporary data is known. */
    public static MapTask of(long millis, long outputBytes) {
      return of(millis, 0, outputBytes, 0);
    }
  }

  /** A reduce task. */
  @AutoValue
  public abstract static class ReduceTask {
    public abstract long millis();

    /** That it fetched. */
    public abstract long inputBytes();

    /** Written to HDFS. */
    public abstract long resultBytes();

    public static ReduceTask of(long millis, long inputBytes, long resultBytes) {
      return new AutoValue_TraceJob_ReduceTask(millis, inputBytes, resultBytes);
    }

    /** One of which only the temporary data is known. */
    public static ReduceTask of(long millis, long inputBytes) {
      return of(millis, inputBytes, 0);
    }
  }

  int tasks() {
    return maps().size() + reduces().size();
  }
}
