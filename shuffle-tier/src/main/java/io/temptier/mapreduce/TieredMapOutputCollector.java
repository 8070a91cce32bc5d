// SPDX-License-Identifier: Apache-2.0
package io.temptier.mapreduce;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.MapTask;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.MRConfig;
import org.jspecify.annotations.Nullable;

/**
 * Hadoop's own sort buffer, with spills, merges and the final output placed on the fastest tier
 * with room. Switched on by {@code mapreduce.job.map.output.collector.class}.
 *
 * <p>Nothing but the choice of dirs differs: the buffer is Hadoop's class, and the layout is that
 * of the task's own {@code MapOutputFile}, in which just the allocator is exchanged. Where that
 * cannot be done the task runs as stock and says so once in its log.
 *
 * @param <K> keys of the map output
 * @param <V> values of the map output
 */
public class TieredMapOutputCollector<K, V> extends MapTask.MapOutputBuffer<K, V> {
  private @Nullable TaskTiering tiering;
  private @Nullable Reporter reporter;

  /** Used by Hadoop, through reflection. */
  public TieredMapOutputCollector() {}

  @Override
  public void init(Context context) throws IOException, ClassNotFoundException {
    MapTask task = context.getMapTask();
    TaskTiering started = TaskTiering.begin(task.getTaskID(), runsLocally(context.getJobConf()));
    started.adopt(task);
    started.adopt(task.getMapOutputFile());
    tiering = started;
    reporter = context.getReporter();
    boolean ready = false;
    try {
      super.init(context);
      ready = true;
    } finally {
      if (!ready) {
        started.finish();
      }
    }
  }

  /**
   * Writes the final output as Hadoop does, then settles every file and hands the counts to the
   * job. The job gets its counters here and not earlier so that those of its own come first.
   */
  @Override
  public void flush() throws IOException, ClassNotFoundException, InterruptedException {
    try {
      super.flush();
    } finally {
      finish();
    }
  }

  /** Also called for tasks that fail before {@link #flush}. */
  @Override
  public void close() {
    super.close();
    finish();
  }

  private void finish() {
    TaskTiering started = tiering;
    Reporter to = reporter;
    if (started != null && to != null) {
      started.finish();
      started.report(to);
    }
  }

  private static boolean runsLocally(Configuration conf) {
    return MRConfig.LOCAL_FRAMEWORK_NAME.equals(
        conf.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME));
  }
}
