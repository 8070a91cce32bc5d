// SPDX-License-Identifier: Apache-2.0
package io.temptier.mapreduce;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapreduce.task.reduce.MergeManager;
import org.apache.hadoop.mapreduce.task.reduce.SettlingMergeManager;
import org.apache.hadoop.mapreduce.task.reduce.Shuffle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's own shuffle, with fetched segments and merges placed on the fastest tier with room.
 * Switched on by {@code mapreduce.job.reduce.shuffle.consumer.plugin.class}.
 *
 * @param <K> keys of the map output
 * @param <V> values of the map output
 */
public class TieredShuffle<K, V> extends Shuffle<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(TieredShuffle.class);

  private @Nullable TaskTiering tiering;
  private @Nullable Reporter reporter;

  /** Used by Hadoop, through reflection. */
  public TieredShuffle() {}

  @Override
  protected MergeManager<K, V> createMergeManager(
      @SuppressWarnings("rawtypes") ShuffleConsumerPlugin.Context context) {
    TaskTiering started = TaskTiering.begin(context.getReduceId(), false);
    started.adopt(context.getReduceTask());
    started.adopt(context.getMapOutputFile());
    tiering = started;
    reporter = context.getReporter();
    try {
      return settling(context, started);
    } catch (LinkageError e) {
      LOG.warn(
          "On-disk merges keep their claim on the fast tier until they stop growing: TempTier's jar"
              + " was loaded apart from Hadoop's. Put it on mapreduce.application.classpath rather"
              + " than into the job.",
          e);
      started.adopt(context);
      return super.createMergeManager(context);
    }
  }

  /** Fetches and merges as Hadoop does. When it returns, the last temporary file is written. */
  @Override
  public RawKeyValueIterator run() throws IOException, InterruptedException {
    try {
      return super.run();
    } finally {
      TaskTiering started = tiering;
      if (started != null) {
        started.finish();
      }
    }
  }

  /** Hands the counts to the job, after the job's own reducer made its counters. */
  @Override
  public void close() {
    super.close();
    TaskTiering started = tiering;
    Reporter to = reporter;
    if (started != null && to != null) {
      started.report(to);
    }
  }

  @SuppressWarnings("unchecked")
  private MergeManager<K, V> settling(
      @SuppressWarnings("rawtypes") ShuffleConsumerPlugin.Context context, TaskTiering started) {
    return new SettlingMergeManager<K, V>(
        context,
        started.allocator(),
        this,
        file -> started.allocator().settled(Path.of(file.toUri().getPath())));
  }
}
