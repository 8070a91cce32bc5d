// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.segment;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelProgressiveFuture;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCounted;
import io.temptier.shuffle.lane.DeviceLane;
import io.temptier.shuffle.lane.SegmentMemory;
import io.temptier.shuffle.output.MapOutput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends the segments of one response in order, part by part. A few parts are read ahead, each on
 * the lane of its device; the event loop only passes on what is ready. A client that reads slowly
 * holds those few parts and no lane.
 *
 * <p>Memory is taken only while the client takes what it is sent: one part to begin with, and more
 * when it has taken some of that and is not behind. One that has stopped keeps what it holds, as
 * long as nobody waits for it; then, after {@link FetchResponse#STALL}, the connection is closed.
 *
 * <p>Confined to the event loop.
 */
final class SegmentSender {
  /** Below this, memory is not divided any further, in bytes. */
  private static final int LEAST_PART_BYTES = 32 << 10;

  private final HandlerContext handler;
  private final Channel channel;
  private final List<Segment> segments;
  private final FetchResponse response;
  private final boolean tls;

  /** Asked for and not yet written, in the order to send them. */
  private final ArrayDeque<SegmentPart> asked = new ArrayDeque<>();

  /** The segment to ask for a part of. */
  private int number;

  /** Bytes of it that were asked for. */
  private long offset;

  /** Parts that were asked for and not yet sent. */
  private int unsent;

  private SegmentMemory.@Nullable Waiter waiter;
  private boolean waitingForMemory;

  /** Searches under way for outputs that were moved. */
  private int searching;

  /** Times that parts were dropped, to be asked for anew: memory asked before is given back. */
  private int rewinds;

  private boolean ended;

  SegmentSender(
      HandlerContext handler, Channel channel, List<Segment> segments, FetchResponse response) {
    this.handler = handler;
    this.channel = channel;
    this.segments = segments;
    this.response = response;
    this.tls = channel.pipeline().get(SslHandler.class) != null;
  }

  /** Begins, or goes on when the channel is writable again. */
  void goOn() {
    askAhead();
    sendReady();
  }

  private void askAhead() {
    while (!ended
        && searching == 0
        && !waitingForMemory
        && number < segments.size()
        && unsent < handler.ahead()
        && !waits(segments.get(number))) {
      ask(segments.get(number));
    }
  }

  /** True if a part that takes memory has to wait; asked again when something was sent. */
  private boolean waits(Segment segment) {
    if (zeroCopy(segment.lane())) {
      return false;
    }
    if (!channel.isWritable()) {
      return true;
    }
    return unsent > 0
        && !(response.tookAny() && handler.memory(segment.lane()).hasPlenty(segment.read()));
  }

  private void ask(Segment segment) {
    int most = (int) Math.min(segment.length() - offset, HandlerContext.PART_BYTES);
    if (most == 0) {
      next(0).ready(Unpooled.EMPTY_BUFFER);
    } else if (zeroCopy(segment.lane())) {
      next(most).read();
    } else {
      acquire(segment, most);
    }
  }

  /** Asks for the next so many bytes. */
  private SegmentPart next(int bytes) {
    SegmentPart part = new SegmentPart(this, segments.get(number), offset, bytes);
    asked.add(part);
    unsent++;
    if (part.last()) {
      number++;
      offset = 0;
    } else {
      offset += bytes;
    }
    return part;
  }

  /** Takes memory for a part, now or when there is some, and has it read. One at a time waits. */
  private void acquire(Segment segment, int most) {
    DeviceLane lane = segment.lane();
    int buffer = tls ? handler.context().sslFileBufferSize : handler.context().shuffleBufferSize;
    int best = lane.slow() ? most : Math.min(most, buffer);
    waitingForMemory = true;
    int asking = rewinds;
    SegmentMemory memory = handler.memory(lane);
    SegmentMemory.DeviceRead read = segment.read();
    SegmentMemory.Waiter waiting =
        memory.acquire(
            read,
            best,
            Math.min(best, LEAST_PART_BYTES),
            bytes -> onLoop(() -> granted(asking, memory, read, bytes)));
    // Null when it was granted at once, and perhaps the next part asked for by then.
    waiter = waiting == null ? waiter : waiting;
  }

  private void granted(
      int asking, SegmentMemory memory, SegmentMemory.DeviceRead read, long bytes) {
    if (ended || asking != rewinds) {
      memory.release(read, bytes);
      return;
    }
    waitingForMemory = false;
    SegmentPart part = next((int) bytes);
    part.granted(memory, read);
    part.read();
    goOn();
  }

  /** True if segments of a lane are sent from the page cache, without a copy. */
  boolean zeroCopy(DeviceLane lane) {
    return !tls && !lane.slow() && handler.context().shuffleTransferToAllowed;
  }

  /**
   * Returns the bytes of a file that are read at once around a part of it: 0 where that costs more
   * than it saves, or where Hadoop's readahead is set to less than a block.
   */
  int stretch(DeviceLane lane) {
    long most =
        lane.slow() ? Math.min(handler.context().readaheadLength, HandlerContext.PART_BYTES) : 0;
    return (int) (most - most % MapOutput.BLOCK_BYTES);
  }

  void ready(SegmentPart part, ReferenceCounted payload) {
    if (part.dropped()) {
      payload.release();
      part.releaseMemory();
      return;
    }
    part.ready(payload);
    sendReady();
  }

  /** The file of a part was moved or deleted since it was found. */
  void notThere(SegmentPart part, FileNotFoundException cause) {
    Segment segment = part.segment();
    if (part.dropped() || !segment.mayLookUpAgain()) {
      failed(part, cause);
      return;
    }
    part.releaseMemory();
    rewind(segment);
    searching++;
    handler.cache().forget(segment.id());
    CompletableFuture<?> unused =
        handler
            .cache()
            .find(segment.id())
            .whenComplete((output, error) -> onLoop(() -> foundAgain(segment, output, error)));
  }

  /**
   * Drops what was not sent of a segment, and all after it: these parts hold memory that the first
   * may need, and are sent after it only.
   */
  private void rewind(Segment segment) {
    while (asked.stream().anyMatch(part -> part.segment() == segment)) {
      SegmentPart last = asked.removeLast();
      last.drop();
      unsent--;
      number = segments.indexOf(last.segment());
      offset = last.offset();
    }
    rewinds++;
    waitingForMemory = false;
    cancelWaiter();
  }

  private void foundAgain(Segment segment, @Nullable MapOutput output, @Nullable Throwable error) {
    searching--;
    if (output == null) {
      end(error == null ? new IOException(segment.id() + " is gone") : error);
      return;
    }
    try {
      segment.moved(output);
    } catch (IOException e) {
      end(e);
      return;
    }
    goOn();
  }

  /** A part cannot be read. */
  void failed(SegmentPart part, Throwable cause) {
    part.releaseMemory();
    if (!part.dropped()) {
      end(cause);
    }
  }

  private void sendReady() {
    boolean wrote = false;
    for (SegmentPart part = asked.peek(); part != null && part.ready(); part = asked.peek()) {
      send(asked.remove());
      wrote = true;
    }
    if (wrote) {
      channel.flush();
    }
  }

  private void send(SegmentPart part) {
    Segment segment = part.segment();
    if (part.first()) {
      response.writing(segment);
      ChannelFuture unused = channel.write(segment.header());
    }
    response.wrote(part);
    channel.write(part.takePayload(), channel.newProgressivePromise()).addListener(part);
  }

  /** The client took some of a part. */
  void tookSome() {
    response.tookSome();
  }

  /** A part was written, or cannot be. */
  void sent(SegmentPart part, ChannelProgressiveFuture written) {
    unsent--;
    response.tookAll(part);
    part.releaseMemory();
    if (!written.isSuccess()) {
      end(written.cause());
      return;
    }
    if (part.last()) {
      Segment segment = part.segment();
      segment.sent();
      if (segment == segments.get(segments.size() - 1) && !ended) {
        ended = true;
        response.unwatch();
        response.sent();
        return;
      }
    }
    goOn();
  }

  private void cancelWaiter() {
    if (waiter != null) {
      waiter.cancel();
    }
  }

  /** Ends the response with an error, if it has not ended; then drops what is read or sent. */
  void end(Throwable cause) {
    if (!ended) {
      ended = true;
      response.unwatch();
      cancelWaiter();
      asked.forEach(SegmentPart::drop);
      asked.clear();
      segments.forEach(Segment::close);
      response.end(cause);
    }
  }

  void onLoop(Runnable work) {
    HandlerContext.onLoop(channel, work);
  }
}
