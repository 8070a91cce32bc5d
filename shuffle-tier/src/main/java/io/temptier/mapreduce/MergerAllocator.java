// SPDX-License-Identifier: Apache-2.0
package io.temptier.mapreduce;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.Merger;
import org.apache.hadoop.mapreduce.MRConfig;

/**
 * What takes the place of {@code Merger}'s allocator, which is one for all tasks of the JVM. The
 * outputs of merge passes are named {@code <attempt>/intermediate.<pass>}: each goes to the
 * allocator of its attempt, and those of attempts that TempTier does not know to the one that was
 * there before. It stays for the life of the JVM; attempts come and go.
 */
final class MergerAllocator extends LocalDirAllocator {
  private final LocalDirAllocator stock;
  private final Map<String, TaskAllocator> byAttempt = new ConcurrentHashMap<>();

  private MergerAllocator(LocalDirAllocator stock) {
    super(MRConfig.LOCAL_DIR);
    this.stock = stock;
  }

  /**
   * Sends the merge passes of one attempt to its own allocator.
   *
   * @return what undoes it, or empty when {@code Merger} cannot be reached and stays stock
   */
  static synchronized Optional<Runnable> register(String attempt, TaskAllocator allocator) {
    return AllocatorSwap.intoClass(
            Merger.class,
            present -> present instanceof MergerAllocator ? present : new MergerAllocator(present))
        .map(MergerAllocator.class::cast)
        .map(
            merger -> {
              merger.byAttempt.put(attempt, allocator);
              return () -> merger.byAttempt.remove(attempt, allocator);
            });
  }

  @Override
  public Path getLocalPathForWrite(String path, long size, Configuration conf, boolean checkWrite)
      throws IOException {
    int slash = path.indexOf(Path.SEPARATOR_CHAR);
    TaskAllocator allocator = slash < 0 ? null : byAttempt.get(path.substring(0, slash));
    return allocator == null
        ? stock.getLocalPathForWrite(path, size, conf, checkWrite)
        : allocator.intermediateForWrite(path, size, conf, checkWrite);
  }

  /** How many attempts are registered in this JVM. Asks without exchanging anything. */
  static synchronized int attemptsInMerger() {
    return AllocatorSwap.intoClass(Merger.class, present -> present)
        .map(present -> present instanceof MergerAllocator merger ? merger.byAttempt.size() : 0)
        .orElse(0);
  }
}
