// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import io.netty.buffer.ByteBuf;
import io.temptier.shuffle.lane.DeviceLane;
import io.temptier.shuffle.lane.SegmentMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.ShuffleChannelHandler;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;
import org.jspecify.annotations.Nullable;

/**
 * A reducer's part of a map output, as a response sends it: where its bytes lie, and the file once
 * that is open. Opened on a lane, closed on the event loop, whichever comes first. Safe for use by
 * both.
 */
public final class Segment {
  private static final int MOST_LOOK_UPS = 3;

  private final HandlerContext handler;
  private final int partition;
  private final IndexRecord indexed;

  /** The first byte of the partitions before it that nobody fetched yet. */
  final long runStart;

  /** The end of those after it: bytes between the two will be asked for soon. */
  final long runEnd;

  private MapOutput output;
  private @Nullable OpenFile open;
  private boolean closed;
  private int lookUps;

  /** Throws when there is no such partition, or it does not lie in the file. */
  Segment(HandlerContext handler, MapOutput output, int partition) throws IOException {
    this.handler = handler;
    this.output = output;
    this.partition = partition;
    this.indexed = output.record(partition);
    OutputIndex index = output.index;
    FetchTracker.Fetched fetched = handler.tracker().of(output.id);
    this.runStart = index.getIndex(fetched.unfetchedSince(partition)).startOffset;
    IndexRecord last = index.getIndex(fetched.nextFetched(partition, index.size()) - 1);
    this.runEnd = last.startOffset + last.partLength;
  }

  /** Returns its output, as last found. */
  synchronized MapOutput output() {
    return output;
  }

  MapOutputId id() {
    return output().id;
  }

  DeviceLane lane() {
    return output().lane;
  }

  /** Returns its first byte in the file. */
  long offset() {
    return indexed.startOffset;
  }

  /** Returns its bytes in the file, compressed and with checksums. */
  public long length() {
    return indexed.partLength;
  }

  /** Returns the purpose that its memory is taken for. */
  SegmentMemory.DeviceRead read() {
    MapOutput now = output();
    return SegmentMemory.DeviceRead.of(now.id.user(), now.id.application(), now.lane);
  }

  /** True if a stretch of the file can be sent without another trip to the lane. */
  boolean isWarm(long from, long to) {
    MapOutput now = output();
    return !now.lane.slow() && now.isWarm(from, to);
  }

  /** Hadoop's header before it on the wire. */
  public ByteBuf header() {
    try {
      return ShuffleChannelHandler.shuffleHeaderToBytes(
          new ShuffleHeader(id().attempt(), indexed.partLength, indexed.rawLength, partition));
    } catch (IOException e) {
      throw new UncheckedIOException("written to memory", e);
    }
  }

  /**
   * The open file, with a reference for the caller. On a lane only.
   *
   * @throws ClosedChannelException when the response was given up
   * @throws IOException when it cannot be opened
   */
  OpenFile open() throws IOException {
    OpenFile known = openNow();
    if (known != null) {
      return known;
    }
    MapOutput now;
    synchronized (this) {
      if (closed) {
        throw new ClosedChannelException();
      }
      now = output;
    }
    // Without the lock: this may take for ever, and the event loop needs the segment.
    OpenFile opened = OpenFile.open(now);
    if (!now.lane.slow() && length() < MapOutput.BLOCK_BYTES) {
      // Others will ask for its neighbours in the same block.
      handler.keep(opened);
    }
    synchronized (this) {
      if (!closed && open == null && now == output) {
        opened.retain();
        open = opened;
      }
    }
    return opened;
  }

  /** Returns the file, retained, when it is open already; else null. */
  synchronized @Nullable OpenFile openNow() {
    if (open == null && !closed) {
      open = handler.recentFile(output);
    }
    if (open != null) {
      open.retain();
    }
    return open;
  }

  void sent() {
    MapOutput now = output();
    handler.tracker().fetched(now.id, partition, now.index.size());
    now.lane.stats().sent(length());
    close();
  }

  /** Gives the segment up. Parts that are being read or sent keep the file open. */
  synchronized void close() {
    closed = true;
    if (open != null) {
      open.release();
      open = null;
    }
  }

  /** True if the output may be looked for once more: it may move while it is opened. */
  synchronized boolean mayLookUpAgain() {
    return ++lookUps <= MOST_LOOK_UPS;
  }

  /** Takes where the output is now; throws when its length is not the announced one. */
  synchronized void moved(MapOutput now) throws IOException {
    IndexRecord record = now.record(partition);
    if (record.startOffset != indexed.startOffset
        || record.partLength != indexed.partLength
        || record.rawLength != indexed.rawLength) {
      throw new IOException(output.data + " was replaced by a different " + now.data);
    }
    output = now;
  }
}
