// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.segment;

import io.netty.util.IllegalReferenceCountException;
import io.temptier.shuffle.output.MapOutput;
import io.temptier.shuffle.output.WarmBlocks;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.thirdparty.com.google.common.cache.Cache;
import org.apache.hadoop.thirdparty.com.google.common.cache.CacheBuilder;
import org.apache.hadoop.thirdparty.com.google.common.cache.RemovalNotification;
import org.jspecify.annotations.Nullable;

/**
 * Data files that were opened a moment ago, kept open as long as their blocks count as warm. An
 * event loop must not open a file, not even one that was just there: its user may have put a pipe
 * in its place, and the opening would never come back.
 *
 * <p>Safe for use by many threads.
 */
public final class RecentFiles {
  /** More are not kept. */
  private static final int MOST = 512;

  /** By the blocks of an output, which stand for the file that was found. */
  private final Cache<WarmBlocks, OpenFile> kept =
      CacheBuilder.newBuilder()
          .maximumSize(MOST)
          .expireAfterWrite(WarmBlocks.WARM_NANOS, TimeUnit.NANOSECONDS)
          .removalListener(
              (RemovalNotification<WarmBlocks, OpenFile> removed) -> {
                OpenFile file = removed.getValue();
                if (file != null) {
                  file.release();
                }
              })
          .build();

  /** The open file of an output, to be released by the caller; null when it is not open. */
  @Nullable OpenFile find(MapOutput output) {
    OpenFile file = kept.getIfPresent(output.warm());
    return file != null && retained(file) ? file : null;
  }

  /** Whether it is still open; it is retained then. */
  private static boolean retained(OpenFile file) {
    try {
      file.retain();
      return true;
    } catch (IllegalReferenceCountException e) {
      return false;
    }
  }

  /** Keeps a file that the caller holds. */
  void keep(OpenFile file) {
    file.retain();
    kept.put(file.output().warm(), file);
  }

  /** Closes what is kept no longer. */
  public void closeExpired() {
    kept.cleanUp();
  }

  /** Keeps none of these any more. */
  public void close() {
    kept.invalidateAll();
  }
}
