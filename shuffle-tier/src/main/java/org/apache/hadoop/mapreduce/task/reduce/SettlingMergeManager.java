// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.task.reduce;

import java.util.function.Consumer;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.jspecify.annotations.NullMarked;

/**
 * Hadoop's merge manager, telling when a file on disk is complete. It lives in Hadoop's package
 * because the method to hear of it takes a package-private class. It is marked itself: a
 * package-info here would be a second copy of Hadoop's own.
 *
 * @param <K> keys of the map output
 * @param <V> values of the map output
 */
@NullMarked
public final class SettlingMergeManager<K, V> extends MergeManagerImpl<K, V> {
  private final Consumer<Path> complete;

  /**
   * A merge manager for one reduce task.
   *
   * @param context what the task hands to its shuffle
   * @param allocator where on-disk merges go, instead of the context's own
   * @param reporter hears of failed merges
   * @param complete told of each fetched segment and merge, on the thread that wrote it
   */
  public SettlingMergeManager(
      ShuffleConsumerPlugin.Context<K, V> context,
      LocalDirAllocator allocator,
      ExceptionReporter reporter,
      Consumer<Path> complete) {
    super(
        context.getReduceId(),
        context.getJobConf(),
        context.getLocalFS(),
        allocator,
        context.getReporter(),
        context.getCodec(),
        context.getCombinerClass(),
        context.getCombineCollector(),
        context.getSpilledRecordsCounter(),
        context.getReduceCombineInputCounter(),
        context.getMergedMapOutputsCounter(),
        reporter,
        context.getMergePhase(),
        context.getMapOutputFile());
    this.complete = complete;
  }

  /**
   * Settles first: afterwards a merge may delete the file at any moment. Not under the manager's
   * lock, which the fetchers of memory segments need too.
   */
  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  public void closeOnDiskFile(CompressAwarePath file) {
    complete.accept(file);
    super.closeOnDiskFile(file);
  }
}
