// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import com.google.auto.value.AutoValue;
import io.netty.util.IllegalReferenceCountException;
import io.temptier.shuffle.lane.DeviceLane;
import io.temptier.shuffle.lane.Lanes;
import io.temptier.shuffle.lane.SegmentMemory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.mapred.ShuffleChannelHandlerContext;
import org.apache.hadoop.thirdparty.com.google.common.cache.Cache;
import org.apache.hadoop.thirdparty.com.google.common.cache.CacheBuilder;
import org.apache.hadoop.thirdparty.com.google.common.cache.RemovalNotification;
import org.jspecify.annotations.Nullable;

/**
 * State that all connections of a handler share. Data files that were opened a moment ago are among
 * it, kept open as long as their blocks count as warm. An event loop must not open a file, not even
 * one that was just there: its user may have put a pipe in its place, and the opening would never
 * come back.
 *
 * <p>Safe for use by many threads.
 */
@AutoValue
public abstract class HandlerContext implements AutoCloseable {
  /** Largest part of a segment that is read and sent at a time, and the stretch of a slow read. */
  static final int PART_BYTES = 1 << 20;

  private static final int MOST_FILES = 512;

  /** Open files whose blocks are warm; each holds a reference. */
  private final Cache<MapOutput, OpenFile> files =
      CacheBuilder.newBuilder()
          .maximumSize(MOST_FILES)
          .expireAfterWrite(MapOutput.WARM_NANOS, TimeUnit.NANOSECONDS)
          .removalListener(
              (RemovalNotification<MapOutput, OpenFile> removed) -> {
                OpenFile file = removed.getValue();
                if (file != null) {
                  file.release();
                }
              })
          .build();

  /** True once a connection was found that only stock can serve. */
  private final AtomicBoolean stockServes = new AtomicBoolean();

  /** Hadoop's limits, tokens and counters. */
  public abstract ShuffleChannelHandlerContext context();

  public abstract MapOutputCache cache();

  public abstract FetchTracker tracker();

  /** Memory for segments of fast media that cannot be sent from the page cache, as with TLS. */
  public abstract SegmentMemory fastMemory();

  /** Memory for segments of slow media: apart, so that slow ones never delay fast ones. */
  public abstract SegmentMemory slowMemory();

  public abstract Lanes lanes();

  public static HandlerContext of(
      ShuffleChannelHandlerContext context,
      MapOutputCache cache,
      FetchTracker tracker,
      SegmentMemory fastMemory,
      SegmentMemory slowMemory,
      Lanes lanes) {
    return new AutoValue_HandlerContext(context, cache, tracker, fastMemory, slowMemory, lanes);
  }

  public AtomicBoolean stockServes() {
    return stockServes;
  }

  @Nullable OpenFile recentFile(MapOutput output) {
    OpenFile file = files.getIfPresent(output);
    try {
      return file == null ? null : (OpenFile) file.retain();
    } catch (IllegalReferenceCountException e) {
      // Closed meanwhile.
      return null;
    }
  }

  void keep(OpenFile file) {
    file.retain();
    files.put(file.output, file);
  }

  SegmentMemory memory(DeviceLane lane) {
    return lane.slow() ? slowMemory() : fastMemory();
  }

  /** Bytes of segments that were read and not yet sent. */
  public long segmentBytes() {
    return fastMemory().usedBytes() + slowMemory().usedBytes();
  }

  /** Lets go of what nobody uses any more, and helps what waits for a disk that hangs. */
  public void everySecond() {
    files.cleanUp();
    fastMemory().grantAgain();
    slowMemory().grantAgain();
    // Last, as there may be no more threads.
    lanes().relieve();
  }

  /** Ends the lanes; the handler's channels are closed by then. */
  @Override
  public void close() {
    files.invalidateAll();
    lanes().close();
  }
}
