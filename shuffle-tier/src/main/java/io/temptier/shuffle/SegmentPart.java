// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.netty.util.ReferenceCounted;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of one segment: asked for, then ready, then sent. Holds the memory it was granted.
 * Confined to the event loop, but for what is final, {@link #begin} and what is said to run on a
 * lane.
 */
final class SegmentPart {
  private static final int MOST_LOOK_UPS = 3;

  private final Segment segment;
  private final long offset;
  private final int bytes;
  private final long askedNanos = System.nanoTime();

  /** Set by whoever comes first: the lane that reads it, or the loop that drops it. */
  private final AtomicBoolean taken = new AtomicBoolean();

  private int lookUps;
  private boolean unread;
  private @Nullable SegmentMemory memory;
  private Runnable giveBack = () -> {};
  private @Nullable ReferenceCounted payload;

  /** The part of {@code bytes} that begins at {@code offset} of the segment. */
  SegmentPart(Segment segment, long offset, int bytes) {
    this.segment = segment;
    this.offset = offset;
    this.bytes = bytes;
  }

  /** A stretch of it that begins so many bytes after it does. */
  SegmentPart stretch(int from, int length) {
    SegmentPart part = new SegmentPart(segment, offset + from, length);
    part.lookUps = lookUps;
    return part;
  }

  Segment segment() {
    return segment;
  }

  long offset() {
    return offset;
  }

  int bytes() {
    return bytes;
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

  /** Whether its output may be looked for once more: it may move while it is read. */
  boolean mayLookUpAgain() {
    return ++lookUps <= MOST_LOOK_UPS;
  }

  /** Its read failed: in its turn another part is to be read in its place. */
  void leaveUnread() {
    unread = true;
  }

  /** Whether another part is to be read in its place. */
  boolean unread() {
    return unread;
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

  /** Whether it can be sent. */
  boolean ready() {
    return payload != null;
  }

  /** Hands over what is to be sent. */
  ReferenceCounted takePayload() {
    ReferenceCounted taken = Objects.requireNonNull(payload, "not ready");
    payload = null;
    return taken;
  }

  /** Is made ready at once where it is warm and its file open; else its lane reads it. */
  void read(SegmentSender sender) {
    OpenFile open = segment.isWarm(position(), position() + bytes) ? segment.openNow() : null;
    if (open == null) {
      submit(sender);
      return;
    }
    try {
      ready(sender.handler().payload(open, segment, position(), bytes, sender.tls()));
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      sender.failed(this, e);
    }
  }

  /** Has the lane of its device read it. */
  void submit(SegmentSender sender) {
    MapOutput output = segment.output();
    try {
      output
          .lane()
          .submit(
              LaneQueue.Job.of(
                  output.id().user(),
                  output.data().toString(),
                  position(),
                  () -> readOnLane(sender, output)));
    } catch (RejectedExecutionException e) {
      sender.failed(this, e);
    }
  }

  /** On the lane. */
  private void readOnLane(SegmentSender sender, MapOutput output) {
    if (!sender.wanted() || !begin()) {
      // Who gives the response up lets go of what is not begun.
      return;
    }
    try {
      if (segment.lane() != output.lane()) {
        throw new FileNotFoundException(output.data() + " was found on another device meanwhile");
      }
      HandlerContext handler = sender.handler();
      ReferenceCounted read =
          handler.bringIn(segment.open(), segment, position(), bytes, sender.tls());
      handler.stats(output.lane()).read(System.nanoTime() - askedNanos);
      sender.onLoop(() -> sender.ready(this, read));
    } catch (FileNotFoundException e) {
      sender.onLoop(() -> sender.notThere(this, output, e));
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      sender.onLoop(() -> sender.failed(this, e));
    }
  }

  /**
   * Lets go of what is not to be sent any more. While it is being read it keeps its memory, which
   * is written into; before that it is not read any more, however long its lane would take.
   */
  void drop() {
    if (payload != null) {
      payload.release();
      payload = null;
      releaseMemory();
    } else if (begin()) {
      releaseMemory();
    }
  }
}
