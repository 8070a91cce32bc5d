// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A trace of one sort: as many bytes come out of its maps as go in, a split of 128 MiB each. */
final class SortTrace implements Trace {
  private static final long SPLIT_BYTES = SyntheticTrace.Shape.CLUSTER.splitBytes();

  private @Nullable TraceJob job;

  /**
   * A trace.
   *
   * @param bytes to sort
   * @param reduces how many tasks take them
   */
  SortTrace(long bytes, int reduces) {
    List<TraceJob.MapTask> maps = new ArrayList<>();
    for (long left = bytes; left > 0; left -= SPLIT_BYTES) {
      long split = Math.min(left, SPLIT_BYTES);
      maps.add(new TraceJob.MapTask(SyntheticTrace.millis(2 * split), split));
    }
    long each = bytes / reduces;
    List<TraceJob.ReduceTask> tasks = new ArrayList<>();
    for (int i = 0; i < reduces; i++) {
      tasks.add(new TraceJob.ReduceTask(SyntheticTrace.millis(2 * each), each));
    }
    this.job = new TraceJob("job_sort", 0, maps, tasks);
  }

  @Override
  public @Nullable TraceJob next() {
    TraceJob next = job;
    job = null;
    return next;
  }
}
