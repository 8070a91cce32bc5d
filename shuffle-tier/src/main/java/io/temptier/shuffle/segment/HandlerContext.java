// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.segment;

import com.google.auto.value.AutoValue;
import io.netty.channel.Channel;
import io.temptier.shuffle.lane.DeviceLane;
import io.temptier.shuffle.lane.Lanes;
import io.temptier.shuffle.lane.MediumStats;
import io.temptier.shuffle.lane.SegmentMemory;
import io.temptier.shuffle.output.MapOutputCache;
import io.temptier.shuffle.output.WarmBlocks;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.mapred.ShuffleChannelHandlerContext;

/** What all connections of a handler share. */
@AutoValue
public abstract class HandlerContext {

  /** Largest part of a segment that is read and sent at a time, and the stretch of a slow read. */
  static final int PART_BYTES = 1 << 20;

  /** Hadoop's limits, tokens and counters. */
  public abstract ShuffleChannelHandlerContext context();

  public abstract MapOutputCache cache();

  /** What of them is open. */
  public abstract RecentFiles files();

  public abstract FetchTracker tracker();

  /** For segments of fast media that cannot be sent from the page cache, as with TLS. */
  public abstract SegmentMemory fastMemory();

  /** For segments of slow media: apart, so that slow ones never delay fast ones. */
  public abstract SegmentMemory slowMemory();

  public abstract Lanes lanes();

  /** Whether what was sent is dropped from the page cache. */
  abstract boolean dropsWhatWasSent();

  /** Whether a connection was found that only stock can serve. */
  public abstract AtomicBoolean stockServes();

  public static HandlerContext of(
      ShuffleChannelHandlerContext context,
      MapOutputCache cache,
      RecentFiles files,
      FetchTracker tracker,
      SegmentMemory fastMemory,
      SegmentMemory slowMemory,
      Lanes lanes,
      boolean dropsWhatWasSent,
      AtomicBoolean stockServes) {
    return new AutoValue_HandlerContext(
        context,
        cache,
        files,
        tracker,
        fastMemory,
        slowMemory,
        lanes,
        dropsWhatWasSent,
        stockServes);
  }

  /**
   * How much of a file is read at once around a part of it, in bytes: nothing where that costs more
   * than it saves, or where Hadoop's readahead is set to less than a block.
   */
  int stretch(DeviceLane lane) {
    long most = lane.slow() ? Math.min(context().readaheadLength, PART_BYTES) : 0;
    return (int) (most - most % WarmBlocks.BLOCK_BYTES);
  }

  /** Whether segments of a lane are sent from the page cache, without a copy. */
  boolean zeroCopy(DeviceLane lane, boolean tls) {
    return !tls && !lane.slow() && context().shuffleTransferToAllowed;
  }

  /** Does something on a channel's event loop. */
  static void onLoop(Channel channel, Runnable work) {
    if (channel.eventLoop().inEventLoop()) {
      work.run();
      return;
    }
    try {
      channel.eventLoop().execute(work);
    } catch (RejectedExecutionException e) {
      // The loop has ended with all its channels: what is left to do is to let go.
      work.run();
    }
  }

  /** The memory for segments of a lane. */
  SegmentMemory memory(DeviceLane lane) {
    return lane.slow() ? slowMemory() : fastMemory();
  }

  /** Bytes of segments that were read and not yet sent. */
  public long segmentBytes() {
    return fastMemory().usedBytes() + slowMemory().usedBytes();
  }

  /** The numbers of a lane's medium. */
  MediumStats stats(DeviceLane lane) {
    return lanes().stats(lane.medium());
  }

  /** Parts of a response that are read ahead of the one being sent. */
  int ahead() {
    return Math.max(1, context().maxSessionOpenFiles);
  }
}
