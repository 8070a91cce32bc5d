// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import java.util.ArrayList;
import java.util.List;

/** A job of the trace while it runs in the simulation. */
final class RunningJob {
  private final TraceJob job;
  private final List<TempFiles.TempFile> outputs = new ArrayList<>();
  private int startedMaps;
  private int doneMaps;
  private int startedReduces;
  private int fetchedReduces;
  private int doneReduces;
  private long spilledIn;

  /** A job none of whose tasks has begun. */
  RunningJob(TraceJob job) {
    this.job = job;
  }

  TraceJob trace() {
    return job;
  }

  /** Outputs of its maps that are on disk. */
  List<TempFiles.TempFile> outputs() {
    return outputs;
  }

  boolean hasMap(long nowMillis) {
    return startedMaps < job.maps().size()
        && job.submitMillis() + job.maps().get(startedMaps).notBeforeMillis() <= nowMillis;
  }

  /** Whether a reduce task can be started: they begin when all maps are done. */
  boolean hasReduce() {
    return doneMaps == job.maps().size() && startedReduces < job.reduces().size();
  }

  TraceJob.MapTask startMap() {
    return job.maps().get(startedMaps++);
  }

  TraceJob.ReduceTask startReduce() {
    return job.reduces().get(startedReduces++);
  }

  /** Counts a map that ended; true when it was the last. */
  boolean mapDone() {
    return ++doneMaps == job.maps().size();
  }

  /** Counts a reduce that has fetched its part of every output. */
  void reduceFetched() {
    fetchedReduces++;
  }

  void reduceDone() {
    doneReduces++;
  }

  boolean done() {
    return doneMaps == job.maps().size() && doneReduces == job.reduces().size();
  }

  /** The share of each output's partitions that were fetched, 0 to 1. */
  double fetched() {
    return job.reduces().isEmpty() ? 0 : (double) fetchedReduces / job.reduces().size();
  }

  /** Notes that a file of it went to the slow disk. */
  void spilled(int size) {
    spilledIn |= 1L << size;
  }

  /** Whether any did. */
  boolean spilledIn(int size) {
    return (spilledIn >>> size & 1) != 0;
  }
}
