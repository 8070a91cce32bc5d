// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelProgressiveFuture;
import io.netty.channel.ChannelProgressiveFutureListener;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCounted;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends the segments of one response in order, part by part. A few parts are read ahead, each on
 * the lane of its device; the event loop only passes on what is ready. A client that reads slowly
 * holds those few parts and no lane.
 *
 * <p>Memory is taken only while the client takes what it is sent: one part to begin with, and more
 * when it has taken some of that and is not behind. One that has stopped keeps what it holds, as
 * long as nobody waits for it; then, after {@link ClientProgress#STALL}, the connection is closed.
 *
 * <p>Confined to the event loop, but for what is said to run on a lane.
 */
final class SegmentSender {
  /** Told how the response ends. Called on the event loop, once. */
  interface Listener {
    /** Every segment was written. */
    void sent();

    /** It cannot go on. */
    void failed(Throwable cause);
  }

  /** Below this, memory is not divided any further, in bytes. */
  private static final int LEAST_PART_BYTES = 32 << 10;

  private final HandlerContext handler;
  private final Channel channel;
  private final List<SegmentSlot> slots;
  private final Listener listener;
  private final boolean tls;
  private final ArrayDeque<SegmentPart> asked = new ArrayDeque<>();
  private int askSlot;
  private long askOffset;
  private SegmentMemory.@Nullable Waiter waiter;
  private boolean waitingForMemory;
  private int unsent;
  private final ClientProgress client;
  private volatile boolean ended;

  /** A sender of {@code slots}. */
  SegmentSender(
      HandlerContext handler, Channel channel, List<SegmentSlot> slots, Listener listener) {
    this.handler = handler;
    this.channel = channel;
    this.slots = slots;
    this.listener = listener;
    this.client = new ClientProgress(channel, this::end);
    this.tls = channel.pipeline().get(SslHandler.class) != null;
  }

  /** Begins, or goes on when the channel is writable again. */
  void goOn() {
    askAhead();
    sendReady();
  }

  private void askAhead() {
    while (!ended && !waitingForMemory && askSlot < slots.size() && unsent < handler.ahead()) {
      SegmentSlot next = slots.get(askSlot);
      if (waits(next.segment())) {
        return;
      }
      ask(next);
    }
  }

  /** Whether a part that takes memory has to wait; asked again when something was sent. */
  private boolean waits(Segment segment) {
    if (handler.zeroCopy(segment.lane(), tls)) {
      return false;
    }
    if (!channel.isWritable()) {
      return true;
    }
    return unsent > 0
        && !(client.tookAny() && handler.memory(segment.lane()).hasPlenty(segment.id()));
  }

  private void ask(SegmentSlot slot) {
    Segment segment = slot.segment();
    long left = segment.length() - askOffset;
    int most = (int) Math.min(left, HandlerContext.PART_BYTES);
    DeviceLane lane = segment.lane();
    unsent++;
    if (left == 0) {
      SegmentPart part = new SegmentPart(slot, askOffset, 0);
      advance(part);
      part.ready(Unpooled.EMPTY_BUFFER);
    } else if (handler.zeroCopy(lane, tls)) {
      SegmentPart part = new SegmentPart(slot, askOffset, most);
      advance(part);
      read(part);
    } else {
      if (!lane.slow()) {
        most =
            Math.min(
                most,
                tls ? handler.context().sslFileBufferSize : handler.context().shuffleBufferSize);
      }
      int best = most;
      waitingForMemory = true;
      SegmentMemory memory = handler.memory(lane);
      waitsFor(
          memory.acquire(
              segment.id(),
              best,
              Math.min(best, LEAST_PART_BYTES),
              granted -> onLoop(() -> granted(slot, best, memory, granted))));
    }
  }

  /** Null when it was granted at once, and perhaps the next part asked for by then. */
  private void waitsFor(SegmentMemory.@Nullable Waiter waiting) {
    waiter = waiting == null ? waiter : waiting;
  }

  private void advance(SegmentPart part) {
    asked.add(part);
    if (part.last()) {
      askSlot++;
      askOffset = 0;
    } else {
      askOffset += part.bytes();
    }
  }

  private void granted(SegmentSlot slot, int most, SegmentMemory memory, long granted) {
    waitingForMemory = false;
    if (ended) {
      memory.release(slot.segment().id(), granted);
      return;
    }
    SegmentPart part = new SegmentPart(slot, askOffset, (int) Math.min(most, granted));
    part.granted(memory, granted);
    advance(part);
    read(part);
    askAhead();
    sendReady();
  }

  /** Has a part ready: at once, on the event loop, when it is warm and open, else by its lane. */
  private void read(SegmentPart part) {
    Segment segment = part.slot().segment();
    long position = segment.offset() + part.offset();
    boolean warm = segment.isWarm(position, position + part.bytes());
    OpenSegment open = warm ? part.slot().openNow() : null;
    if (open == null) {
      submit(part);
      return;
    }
    try {
      part.ready(handler.payload(open, position, part.bytes(), tls));
    } catch (IOException | RuntimeException e) {
      fail(part, e);
    }
  }

  private void submit(SegmentPart part) {
    Segment segment = part.slot().segment();
    try {
      segment
          .lane()
          .submit(
              new LaneQueue.Job(
                  segment.id().user(),
                  segment.data().toString(),
                  segment.offset() + part.offset(),
                  () -> readOnLane(part, segment)));
    } catch (RejectedExecutionException e) {
      onLoop(() -> fail(part, e));
    }
  }

  /** On the lane. */
  private void readOnLane(SegmentPart part, Segment segment) {
    if (ended) {
      onLoop(() -> fail(part, new IOException("The client is gone")));
      return;
    }
    try {
      if (part.slot().segment().lane() != segment.lane()) {
        throw new FileNotFoundException(segment.data() + " was found on another device meanwhile");
      }
      OpenSegment open = part.slot().open();
      if (!segment.lane().slow()) {
        long position = segment.offset() + part.offset();
        try {
          handler.reader().warm(open, position, position + part.bytes());
        } catch (IOException | RuntimeException e) {
          open.release();
          throw e;
        }
      }
      ReferenceCounted payload =
          handler.payload(open, segment.offset() + part.offset(), part.bytes(), tls);
      handler.stats(segment.lane()).read(System.nanoTime() - part.askedNanos());
      onLoop(() -> ready(part, payload));
    } catch (FileNotFoundException e) {
      onLoop(() -> notThere(part, segment, e));
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      onLoop(() -> fail(part, e));
    }
  }

  private void ready(SegmentPart part, ReferenceCounted payload) {
    if (ended) {
      payload.release();
      part.releaseBeyond(0);
      return;
    }
    part.ready(payload);
    sendReady();
  }

  private void sendReady() {
    boolean wrote = false;
    for (SegmentPart part = asked.peek(); part != null && part.ready(); part = asked.peek()) {
      asked.poll();
      send(part);
      wrote = true;
    }
    if (wrote) {
      channel.flush();
    }
  }

  private void send(SegmentPart part) {
    Segment segment = part.slot().segment();
    if (part.first()) {
      ChannelFuture unused = channel.write(segment.header());
    }
    client.wrote(part);
    channel.write(part.takePayload(), channel.newProgressivePromise()).addListener(new Sent(part));
  }

  /** Sees how a part goes out. */
  private final class Sent implements ChannelProgressiveFutureListener {
    private final SegmentPart part;

    Sent(SegmentPart part) {
      this.part = part;
    }

    @Override
    public void operationProgressed(ChannelProgressiveFuture future, long done, long total) {
      client.tookSome();
    }

    @Override
    public void operationComplete(ChannelProgressiveFuture written) {
      onLoop(() -> sent(part, written));
    }
  }

  private void sent(SegmentPart part, ChannelProgressiveFuture written) {
    unsent--;
    client.tookAll(part);
    part.releaseBeyond(0);
    if (!written.isSuccess()) {
      end(written.cause());
      return;
    }
    if (part.last()) {
      Segment segment = part.slot().segment();
      handler.tracker().fetched(segment);
      handler.stats(segment.lane()).sent(segment.length());
      if (handler.dropsWhatWasSent()) {
        part.slot().dropFromPageCache();
      }
      part.slot().close();
      if (part.slot() == slots.get(slots.size() - 1) && !ended) {
        ended = true;
        client.close();
        listener.sent();
        return;
      }
    }
    askAhead();
    sendReady();
  }

  private void fail(SegmentPart part, Throwable cause) {
    part.releaseBeyond(0);
    end(cause);
  }

  /** The file was moved or deleted since it was found: it may be elsewhere. */
  private void notThere(SegmentPart part, Segment tried, FileNotFoundException cause) {
    if (ended || !part.mayLookUpAgain()) {
      fail(part, cause);
    } else if (!part.slot().segment().equals(tried)) {
      // Another part of it missed it too, and has found it since.
      part.releaseBeyond(0);
      resubmit(part);
    } else {
      lookUpAgain(part);
    }
  }

  private void lookUpAgain(SegmentPart part) {
    Segment segment = part.slot().segment();
    handler.cache().forget(segment.id());
    handler
        .cache()
        .find(segment.id(), (output, error) -> onLoop(() -> foundAgain(part, output, error)));
  }

  private void foundAgain(SegmentPart part, @Nullable MapOutput output, @Nullable Throwable error) {
    Segment segment = part.slot().segment();
    if (output == null) {
      fail(part, error == null ? new IOException(segment.data() + " is gone") : error);
      return;
    }
    try {
      // The memory granted belongs to the lane it was asked for; another lane means asking anew.
      part.releaseBeyond(0);
      part.slot().moved(output.segment(segment.id(), segment.partition(), handler.tracker()));
    } catch (IOException e) {
      fail(part, e);
      return;
    }
    resubmit(part);
  }

  private void resubmit(SegmentPart part) {
    DeviceLane lane = part.slot().segment().lane();
    if (handler.zeroCopy(lane, tls)) {
      submit(part);
      return;
    }
    SegmentMemory memory = handler.memory(lane);
    waitsFor(
        memory.acquire(
            part.slot().segment().id(),
            part.bytes(),
            part.bytes(),
            granted ->
                onLoop(
                    () -> {
                      part.granted(memory, granted);
                      submit(part);
                    })));
  }

  /** Gives the response up; what is being read or sent is let go of afterwards. */
  void abort() {
    ended = true;
    client.close();
    SegmentMemory.Waiter waiting = waiter;
    if (waiting != null) {
      waiting.cancel();
    }
    for (SegmentPart part : asked) {
      part.drop();
    }
    asked.clear();
    slots.forEach(SegmentSlot::close);
  }

  private void end(Throwable cause) {
    if (!ended) {
      abort();
      listener.failed(cause);
    }
  }

  private void onLoop(Runnable work) {
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
}
