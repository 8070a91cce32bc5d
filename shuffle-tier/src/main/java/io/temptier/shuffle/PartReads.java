// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.netty.util.ReferenceCounted;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Reads the parts of one response: at once what is in the page cache, the rest on the lane of its
 * device. Confined to the event loop, but for what is said to run on a lane.
 */
final class PartReads {
  /** Told what becomes of a part, on the event loop. */
  interface Listener {
    /** Whether any part is still to be read. Called on lanes, too. */
    boolean wanted();

    /** A lane has read it. */
    void ready(SegmentPart part, ReferenceCounted payload);

    /** Its file was moved or deleted since {@code tried} was found. */
    void notThere(SegmentPart part, MapOutput tried, FileNotFoundException cause);

    /** It cannot be read. */
    void failed(SegmentPart part, Throwable cause);
  }

  private final HandlerContext handler;
  private final boolean tls;
  private final Executor loop;
  private final Listener listener;

  /**
   * Reads for one channel.
   *
   * @param tls whether what is read is encrypted
   * @param loop runs work on the event loop
   */
  PartReads(HandlerContext handler, boolean tls, Executor loop, Listener listener) {
    this.handler = handler;
    this.tls = tls;
    this.loop = loop;
    this.listener = listener;
  }

  /** Makes a part ready at once where it is warm and its file open; else its lane reads it. */
  void read(SegmentPart part) {
    Segment segment = part.segment();
    long position = segment.offset() + part.offset();
    boolean warm = segment.isWarm(position, position + part.bytes());
    OpenFile open = warm ? part.segment().openNow() : null;
    if (open == null) {
      submit(part);
      return;
    }
    try {
      part.ready(handler.payload(open, segment, position, part.bytes(), tls));
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      listener.failed(part, e);
    }
  }

  /** Has a part read by the lane of its device. */
  void submit(SegmentPart part) {
    Segment segment = part.segment();
    MapOutput output = segment.output();
    try {
      output
          .lane()
          .submit(
              LaneQueue.Job.of(
                  output.id().user(),
                  output.data().toString(),
                  segment.offset() + part.offset(),
                  () -> readOnLane(part, output)));
    } catch (RejectedExecutionException e) {
      listener.failed(part, e);
    }
  }

  /** On the lane. */
  private void readOnLane(SegmentPart part, MapOutput output) {
    if (!listener.wanted() || !part.begin()) {
      // Who gives the response up lets go of what is not begun.
      return;
    }
    Segment segment = part.segment();
    try {
      if (segment.lane() != output.lane()) {
        throw new FileNotFoundException(output.data() + " was found on another device meanwhile");
      }
      OpenFile open = part.segment().open();
      long position = segment.offset() + part.offset();
      if (!output.lane().slow()) {
        try {
          handler.reader().warm(open, position, position + part.bytes());
        } catch (IOException | RuntimeException e) {
          open.release();
          throw e;
        }
      }
      ReferenceCounted payload = handler.payload(open, segment, position, part.bytes(), tls);
      handler.stats(output.lane()).read(System.nanoTime() - part.askedNanos());
      loop.execute(() -> listener.ready(part, payload));
    } catch (FileNotFoundException e) {
      loop.execute(() -> listener.notThere(part, output, e));
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      loop.execute(() -> listener.failed(part, e));
    }
  }
}
