// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.segment;

import io.netty.util.ReferenceCounted;
import io.temptier.shuffle.lane.DeviceLane;
import io.temptier.shuffle.lane.LaneQueue;
import io.temptier.shuffle.lane.SegmentMemory;
import io.temptier.shuffle.output.MapOutput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of one segment: asked for, then ready, then sent. Holds the memory it was granted.
 * Confined to the event loop, but for what is final, {@link #begin} and what is said to run on a
 * lane.
 */
final class SegmentPart {
  private final Segment segment;
  private final long offset;
  private final int bytes;
  private final long askedNanos = System.nanoTime();

  /** Set by whoever comes first: the lane that reads it, or the loop that drops it. */
  private final AtomicBoolean taken = new AtomicBoolean();

  private boolean dropped;
  private @Nullable SegmentMemory memory;
  private Runnable giveBack = () -> {};
  private @Nullable ReferenceCounted payload;

  /** The part of {@code bytes} that begins at {@code offset} of the segment. */
  SegmentPart(Segment segment, long offset, int bytes) {
    this.segment = segment;
    this.offset = offset;
    this.bytes = bytes;
  }

  Segment segment() {
    return segment;
  }

  long offset() {
    return offset;
  }

  /** Where it begins in the file, in bytes. */
  private long position() {
    return segment.offset() + offset;
  }

  boolean first() {
    return offset == 0;
  }

  boolean last() {
    return offset + bytes == segment.length();
  }

  /** Whether it is not to be sent any more. */
  boolean dropped() {
    return dropped;
  }

  /** On the lane: whether it is to be read; not when it was dropped before. */
  boolean begin() {
    return taken.compareAndSet(false, true);
  }

  /** Holds memory from now on, until this is run that gives it back. */
  void granted(SegmentMemory from, Runnable release) {
    memory = from;
    giveBack = release;
  }

  /** The memory it holds some of; null when none. */
  @Nullable SegmentMemory memory() {
    return memory;
  }

  /** Gives back the memory it holds, if any. */
  void releaseMemory() {
    if (memory != null) {
      memory = null;
      giveBack.run();
    }
  }

  /** Takes what is to be sent. */
  void ready(ReferenceCounted read) {
    payload = read;
  }

  boolean ready() {
    return payload != null;
  }

  /** Hands over what is to be sent. */
  ReferenceCounted takePayload() {
    ReferenceCounted sending = Objects.requireNonNull(payload, "not ready");
    payload = null;
    return sending;
  }

  /** Is made ready at once where it is warm and its file open; else its lane reads it. */
  void read(SegmentSender sender) {
    OpenFile open = segment.isWarm(position(), position() + bytes) ? segment.openNow() : null;
    try {
      if (open == null) {
        submit(sender);
      } else {
        ready(load(sender, open, true));
      }
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      sender.failed(this, e);
    }
  }

  private void submit(SegmentSender sender) {
    MapOutput output = segment.output();
    output
        .lane()
        .submit(
            new LaneQueue.Job(
                output.id().user(),
                output.data().toString(),
                position(),
                () -> readOnLane(sender, output)));
  }

  /** On the lane. */
  private void readOnLane(SegmentSender sender, MapOutput output) {
    if (!begin()) {
      return;
    }
    try {
      if (segment.lane() != output.lane()) {
        throw new FileNotFoundException(output.data() + " was found on another device meanwhile");
      }
      ReferenceCounted read = load(sender, segment.open(), false);
      sender.handler().stats(output.lane()).read(System.nanoTime() - askedNanos);
      sender.onLoop(() -> sender.ready(this, read));
    } catch (FileNotFoundException e) {
      sender.onLoop(() -> sender.notThere(this, e));
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      sender.onLoop(() -> sender.failed(this, e));
    }
  }

  /** What is sent of it; takes the open file over. */
  private ReferenceCounted load(SegmentSender sender, OpenFile open, boolean warm)
      throws IOException {
    HandlerContext handler = sender.handler();
    DeviceLane lane = open.output().lane();
    boolean handedOn = false;
    try {
      if (!warm && !lane.slow()) {
        SegmentReader.warm(open, position(), position() + bytes);
      }
      handedOn = handler.zeroCopy(lane, sender.tls());
      return handedOn
          ? open.region(position(), bytes)
          : SegmentReader.read(open, segment, position(), bytes, handler.stretch(lane));
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
}
