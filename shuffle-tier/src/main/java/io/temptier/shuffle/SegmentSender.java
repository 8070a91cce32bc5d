/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.shuffle;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCounted;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.mapred.ShuffleChannelHandler;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;
import org.jspecify.annotations.Nullable;

/**
 * Sends the segments of one response in order, part by part. A few parts are read ahead, each on
 * the lane of its device; the event loop only passes on what is ready. A client that reads slowly
 * holds those few parts, one small one when memory is scarce, and no lane.
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

  private final Serving serving;
  private final Channel channel;
  private final List<SegmentSlot> slots;
  private final Listener listener;
  private final boolean tls;
  private final ArrayDeque<SegmentPart> asked = new ArrayDeque<>();
  private int askSlot;
  private long askOffset;
  private boolean waitingForMemory;
  private int unsent;
  private volatile boolean ended;

  /** A sender of {@code slots}. */
  SegmentSender(Serving serving, Channel channel, List<SegmentSlot> slots, Listener listener) {
    this.serving = serving;
    this.channel = channel;
    this.slots = slots;
    this.listener = listener;
    this.tls = channel.pipeline().get(SslHandler.class) != null;
  }

  /** Whether segments of a lane are sent from the page cache. */
  static boolean zeroCopy(Serving serving, DeviceLane lane, boolean tls) {
    return !tls && !lane.slow() && serving.context().shuffleTransferToAllowed;
  }

  /** Whether the first part of a segment can be sent without another trip to its lane. */
  static boolean warm(Serving serving, Segment segment, boolean tls) {
    return zeroCopy(serving, segment.lane(), tls)
        && segment.warm().isWarm(segment.offset(), firstPartEnd(segment));
  }

  /** Where the first part of a segment ends in the file, in bytes. */
  static long firstPartEnd(Segment segment) {
    return segment.offset() + Math.min(segment.length(), Serving.PART_BYTES);
  }

  /** Begins. */
  void start() {
    askAhead();
    sendReady();
  }

  private void askAhead() {
    while (!ended && !waitingForMemory && askSlot < slots.size() && unsent < serving.ahead()) {
      SegmentSlot next = slots.get(askSlot);
      if (unsent > 0 && waits(next.segment().lane())) {
        return;
      }
      ask(next);
    }
  }

  /** What is read ahead takes no memory that others need to begin; asked again at the next sent. */
  private boolean waits(DeviceLane lane) {
    return !zeroCopy(serving, lane, tls) && serving.memory(lane).scarce();
  }

  private void ask(SegmentSlot slot) {
    Segment segment = slot.segment();
    long left = segment.length() - askOffset;
    int most = (int) Math.min(left, Serving.PART_BYTES);
    DeviceLane lane = segment.lane();
    unsent++;
    if (left == 0) {
      SegmentPart part = new SegmentPart(slot, askOffset, 0);
      advance(part);
      asked.add(part);
      part.ready(Unpooled.EMPTY_BUFFER);
    } else if (zeroCopy(serving, lane, tls)) {
      SegmentPart part = new SegmentPart(slot, askOffset, most);
      advance(part);
      asked.add(part);
      long position = segment.offset() + part.offset();
      if (segment.warm().isWarm(position, position + most)) {
        serveWarm(part, segment);
      } else {
        submit(part);
      }
    } else {
      if (!lane.slow()) {
        most =
            Math.min(
                most,
                tls ? serving.context().sslFileBufferSize : serving.context().shuffleBufferSize);
      }
      int best = most;
      waitingForMemory = true;
      SegmentMemory memory = serving.memory(lane);
      memory.acquire(
          best,
          Math.min(best, LEAST_PART_BYTES),
          granted -> onLoop(() -> granted(slot, best, memory, granted)));
    }
  }

  private void advance(SegmentPart part) {
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
      memory.release(granted);
      return;
    }
    SegmentPart part = new SegmentPart(slot, askOffset, (int) Math.min(most, granted));
    part.granted(memory, granted);
    advance(part);
    asked.add(part);
    submit(part);
    askAhead();
    sendReady();
  }

  private void submit(SegmentPart part) {
    Segment segment = part.slot().segment();
    try {
      segment
          .lane()
          .submit(
              new LaneQueue.Job(
                  segment.data().toString(),
                  segment.offset() + part.offset(),
                  () -> readOnLane(part, segment)));
    } catch (RejectedExecutionException e) {
      onLoop(() -> fail(part, e));
    }
  }

  private void serveWarm(SegmentPart part, Segment segment) {
    try {
      part.ready(
          new WarmRegion(part.slot().open(), segment.offset() + part.offset(), part.bytes()));
    } catch (IOException | RuntimeException e) {
      fail(part, e);
    }
  }

  /** On the lane. */
  private void readOnLane(SegmentPart part, Segment segment) {
    if (ended) {
      onLoop(() -> fail(part, new IOException("The client is gone")));
      return;
    }
    try {
      OpenSegment open = part.slot().open();
      ReferenceCounted payload;
      boolean handedOver = false;
      try {
        long position = segment.offset() + part.offset();
        if (zeroCopy(serving, segment.lane(), tls)) {
          serving.reader().warm(open, position, position + part.bytes());
          payload = new WarmRegion(open, position, part.bytes());
          handedOver = true;
        } else {
          payload =
              serving.reader().read(open, position, part.bytes(), serving.stretch(segment.lane()));
        }
      } finally {
        if (!handedOver) {
          open.release();
        }
      }
      serving.stats(segment.lane()).read(System.nanoTime() - part.askedNanos());
      onLoop(() -> ready(part, payload));
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
      // Fails only together with the payload.
      ChannelFuture unused = channel.write(header(segment));
    }
    channel
        .write(part.takePayload())
        .addListener((ChannelFuture written) -> onLoop(() -> sent(part, written)));
  }

  private static ByteBuf header(Segment segment) {
    try {
      return ShuffleChannelHandler.shuffleHeaderToBytes(
          new ShuffleHeader(
              segment.id().attempt(), segment.length(), segment.rawLength(), segment.partition()));
    } catch (IOException e) {
      throw new UncheckedIOException("written to memory", e);
    }
  }

  private void sent(SegmentPart part, ChannelFuture written) {
    unsent--;
    part.releaseBeyond(0);
    if (!written.isSuccess()) {
      end(written.cause());
      return;
    }
    if (part.last()) {
      Segment segment = part.slot().segment();
      serving.tracker().fetched(segment);
      serving.stats(segment.lane()).sent(segment.length());
      if (serving.context().manageOsCache) {
        part.slot().dropFromPageCache();
      }
      part.slot().close();
      if (part.slot() == slots.get(slots.size() - 1) && !ended) {
        ended = true;
        listener.sent();
        return;
      }
    }
    askAhead();
    sendReady();
  }

  private void fail(SegmentPart part, Throwable cause) {
    if (!ended && cause instanceof FileNotFoundException && part.slot().mayLookUpAgain()) {
      lookUpAgain(part);
      return;
    }
    part.releaseBeyond(0);
    end(cause);
  }

  /** The file was moved or deleted since it was found: it may be elsewhere. */
  private void lookUpAgain(SegmentPart part) {
    Segment segment = part.slot().segment();
    serving.cache().forget(segment.id());
    serving
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
      part.slot().moved(output.segment(segment.id(), segment.partition(), serving.tracker()));
    } catch (IOException e) {
      fail(part, e);
      return;
    }
    resubmit(part);
  }

  private void resubmit(SegmentPart part) {
    DeviceLane lane = part.slot().segment().lane();
    if (zeroCopy(serving, lane, tls)) {
      submit(part);
      return;
    }
    SegmentMemory memory = serving.memory(lane);
    memory.acquire(
        part.bytes(),
        part.bytes(),
        granted ->
            onLoop(
                () -> {
                  part.granted(memory, granted);
                  submit(part);
                }));
  }

  /** Gives the response up; what is being read or sent is let go of when that is over. */
  void abort() {
    ended = true;
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
