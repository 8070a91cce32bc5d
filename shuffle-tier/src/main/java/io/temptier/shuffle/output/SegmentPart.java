// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import io.netty.channel.ChannelProgressiveFuture;
import io.netty.channel.ChannelProgressiveFutureListener;
import io.netty.util.ReferenceCounted;
import io.temptier.shuffle.lane.DeviceLane;
import io.temptier.shuffle.lane.SegmentMemory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of one segment: asked for, then ready, then sent, of which it tells its sender. Holds
 * the memory it was granted. Confined to the event loop, but for what is final, {@link #begin} and
 * what is said to run on a lane.
 */
final class SegmentPart implements ChannelProgressiveFutureListener {
  private final FetchResponse sender;
  final Segment segment;
  final long offset;
  private final int bytes;
  private final long askedNanos = System.nanoTime();

  /** Set by whoever comes first: the lane that reads it, or the loop that drops it. */
  private final AtomicBoolean taken = new AtomicBoolean();

  private boolean dropped;
  private @Nullable SegmentMemory memory;
  private SegmentMemory.@Nullable DeviceRead memoryFor;
  private @Nullable ReferenceCounted payload;

  SegmentPart(FetchResponse sender, Segment segment, long offset, int bytes) {
    this.sender = sender;
    this.segment = segment;
    this.offset = offset;
    this.bytes = bytes;
  }

  private long position() {
    return segment.offset() + offset;
  }

  boolean first() {
    return offset == 0;
  }

  boolean last() {
    return offset + bytes == segment.length();
  }

  boolean dropped() {
    return dropped;
  }

  /** Begins reading it on the lane; false when it was dropped before. */
  boolean begin() {
    return taken.compareAndSet(false, true);
  }

  void granted(SegmentMemory from, SegmentMemory.DeviceRead read) {
    memory = from;
    memoryFor = read;
  }

  /** The memory it holds some of; null when none. */
  @Nullable SegmentMemory memory() {
    return memory;
  }

  void releaseMemory() {
    if (memory != null) {
      SegmentMemory from = memory;
      memory = null;
      from.release(Objects.requireNonNull(memoryFor), bytes);
    }
  }

  void ready(ReferenceCounted read) {
    payload = read;
  }

  boolean ready() {
    return payload != null;
  }

  ReferenceCounted takePayload() {
    ReferenceCounted sending = Objects.requireNonNull(payload, "not ready");
    payload = null;
    return sending;
  }

  /** Makes it ready at once where it is warm and its file open; else its lane reads it. */
  void read() {
    OpenFile open = segment.isWarm(position(), position() + bytes) ? segment.openNow() : null;
    try {
      if (open == null) {
        MapOutput output = segment.output();
        output.lane.read(output.id.user(), () -> readOnLane(output));
      } else {
        ready(load(open, true));
      }
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      sender.failed(this, e);
    }
  }

  private void readOnLane(MapOutput output) {
    if (!begin()) {
      return;
    }
    try {
      if (segment.lane() != output.lane) {
        throw new FileNotFoundException(output.data + " was found on another device meanwhile");
      }
      ReferenceCounted read = load(segment.open(), false);
      output.lane.stats().read(System.nanoTime() - askedNanos);
      sender.onLoop(() -> sender.ready(this, read));
    } catch (FileNotFoundException e) {
      sender.onLoop(() -> sender.notThere(this, e));
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      sender.onLoop(() -> sender.failed(this, e));
    }
  }

  /** Loads what is sent of it; takes the open file over. */
  private ReferenceCounted load(OpenFile open, boolean warm) throws IOException {
    DeviceLane lane = open.output.lane;
    boolean handedOn = false;
    try {
      if (!warm && !lane.slow()) {
        open.warm(position(), position() + bytes);
      }
      handedOn = sender.zeroCopy(lane);
      return handedOn
          ? open.region(position(), bytes)
          : open.read(segment, position(), bytes, sender.stretch(lane));
    } finally {
      if (!handedOn) {
        open.release();
      }
    }
  }

  /**
   * Lets go of what is not to be sent any more. While it is being read it keeps its memory, which
   * is written into; before that it is not read any more, however long its lane would take.
   */
  void drop() {
    dropped = true;
    if (payload != null) {
      payload.release();
      payload = null;
      releaseMemory();
    } else if (begin()) {
      releaseMemory();
    }
  }

  @Override
  public void operationProgressed(ChannelProgressiveFuture future, long done, long total) {
    sender.tookSome();
  }

  @Override
  public void operationComplete(ChannelProgressiveFuture written) {
    sender.onLoop(() -> sender.sent(this, written));
  }
}
