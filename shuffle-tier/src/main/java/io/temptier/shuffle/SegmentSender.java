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
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
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
 * <p>Confined to the event loop.
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
  private final List<Segment> segments;
  private final Listener listener;
  private final boolean tls;
  private final PartQueue parts;
  private SegmentMemory.@Nullable Waiter waiter;
  private boolean waitingForMemory;
  private int unsent;
  private final ClientProgress client;
  private volatile boolean ended;

  /** A sender of {@code segments}. */
  SegmentSender(
      HandlerContext handler, Channel channel, List<Segment> segments, Listener listener) {
    this.handler = handler;
    this.channel = channel;
    this.segments = segments;
    this.parts = new PartQueue(segments);
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
    while (!ended && !waitingForMemory && !parts.complete() && unsent < handler.ahead()) {
      Segment next = parts.segment();
      if (waits(next)) {
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
        && !(client.tookAny() && handler.memory(segment.lane()).hasPlenty(segment.read()));
  }

  private void ask(Segment segment) {
    int most = (int) Math.min(parts.left(), HandlerContext.PART_BYTES);
    unsent++;
    if (most == 0) {
      parts.next(0).ready(Unpooled.EMPTY_BUFFER);
    } else if (handler.zeroCopy(segment.lane(), tls)) {
      parts.next(most).read(this);
    } else {
      acquire(segment, most, parts::next);
    }
  }

  /**
   * Takes memory for a part, now or when there is some, and has it read. One at a time waits.
   *
   * @param most bytes it may have
   * @param part makes it, of the bytes that memory was found for
   */
  private void acquire(Segment segment, int most, IntFunction<SegmentPart> part) {
    DeviceLane lane = segment.lane();
    int best = most;
    if (!lane.slow()) {
      best =
          Math.min(
              most,
              tls ? handler.context().sslFileBufferSize : handler.context().shuffleBufferSize);
    }
    waitingForMemory = true;
    SegmentMemory memory = handler.memory(lane);
    SegmentMemory.DeviceRead read = segment.read();
    SegmentMemory.Waiter waiting =
        memory.acquire(
            read,
            best,
            Math.min(best, LEAST_PART_BYTES),
            granted ->
                onLoop(() -> granted(part, granted, memory, () -> memory.release(read, granted))));
    // Null when it was granted at once, and perhaps the next part asked for by then.
    waiter = waiting == null ? waiter : waiting;
  }

  private void granted(
      IntFunction<SegmentPart> make, long bytes, SegmentMemory memory, Runnable release) {
    waitingForMemory = false;
    if (ended) {
      release.run();
      return;
    }
    SegmentPart part = make.apply((int) bytes);
    part.granted(memory, release);
    part.read(this);
    askAhead();
    sendReady();
  }

  /** Whether any part is still to be read. Called on lanes, too. */
  boolean wanted() {
    return !ended;
  }

  HandlerContext handler() {
    return handler;
  }

  /** Whether what is read is encrypted. */
  boolean tls() {
    return tls;
  }

  /** A lane has read a part. */
  void ready(SegmentPart part, ReferenceCounted payload) {
    if (ended) {
      payload.release();
      part.releaseMemory();
      return;
    }
    part.ready(payload);
    sendReady();
  }

  /** The file of a part was moved or deleted since {@code tried} was found. */
  void notThere(SegmentPart part, MapOutput tried, FileNotFoundException cause) {
    // It may lie on another device now, whose memory is another; and the search may take long.
    part.releaseMemory();
    if (ended || !part.mayLookUpAgain()) {
      failed(part, cause);
    } else if (part.segment().output() != tried) {
      // Another part of it missed it too, and has found it since.
      part.leaveUnread();
      readAnew();
    } else {
      lookUpAgain(part);
    }
  }

  /** A part cannot be read. */
  void failed(SegmentPart part, Throwable cause) {
    part.releaseMemory();
    end(cause);
  }

  private void sendReady() {
    boolean wrote = false;
    for (SegmentPart part = parts.first(); part != null && part.ready(); part = parts.first()) {
      send(parts.remove());
      wrote = true;
    }
    if (wrote) {
      channel.flush();
    }
    readAnew();
  }

  private void send(SegmentPart part) {
    Segment segment = part.segment();
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
    part.releaseMemory();
    if (!written.isSuccess()) {
      end(written.cause());
      return;
    }
    if (part.last()) {
      Segment segment = part.segment();
      handler.tracker().fetched(segment.id(), segment.partition(), segment.output().index().size());
      handler.stats(segment.lane()).sent(segment.length());
      if (handler.dropsWhatWasSent()) {
        segment.dropFromPageCache();
      }
      segment.close();
      if (segment == segments.get(segments.size() - 1) && !ended) {
        ended = true;
        client.close();
        listener.sent();
        return;
      }
    }
    askAhead();
    sendReady();
  }

  private void lookUpAgain(SegmentPart part) {
    Segment segment = part.segment();
    handler.cache().forget(segment.id());
    handler
        .cache()
        .find(segment.id(), (output, error) -> onLoop(() -> foundAgain(part, output, error)));
  }

  private void foundAgain(SegmentPart part, @Nullable MapOutput output, @Nullable Throwable error) {
    Segment segment = part.segment();
    if (ended) {
      return;
    }
    if (output == null) {
      failed(part, error == null ? new IOException(segment.id() + " is gone") : error);
      return;
    }
    try {
      segment.moved(output);
    } catch (IOException e) {
      failed(part, e);
      return;
    }
    part.leaveUnread();
    readAnew();
  }

  /**
   * Has the first part read anew if that is to be. Those behind it wait for their turn: they would
   * hold memory that the first may need, and be sent after it only.
   */
  private void readAnew() {
    SegmentPart first = parts.first();
    if (first == null || !first.unread() || waitingForMemory) {
      return;
    }
    Segment segment = first.segment();
    if (handler.zeroCopy(segment.lane(), tls)) {
      cutFirst(first.bytes()).submit(this);
    } else {
      acquire(segment, first.bytes(), this::cutFirst);
    }
  }

  private SegmentPart cutFirst(int bytes) {
    if (parts.cutFirst(bytes)) {
      unsent++;
    }
    return Objects.requireNonNull(parts.first());
  }

  /** Gives the response up; what is being read or sent is let go of afterwards. */
  void abort() {
    ended = true;
    client.close();
    SegmentMemory.Waiter waiting = waiter;
    if (waiting != null) {
      waiting.cancel();
    }
    parts.drop();
    segments.forEach(Segment::close);
  }

  private void end(Throwable cause) {
    if (!ended) {
      abort();
      listener.failed(cause);
    }
  }

  /** Does something on the channel's event loop. */
  void onLoop(Runnable work) {
    HandlerContext.onLoop(channel, work);
  }
}
