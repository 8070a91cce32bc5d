// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelProgressiveFuture;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCounted;
import io.temptier.shuffle.lane.DeviceLane;
import io.temptier.shuffle.lane.SegmentMemory;
import io.temptier.tier.lang.Immutable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one request: finds every map output asked for, and sends their segments in order,
 * part by part, once the first bytes are read, so that a request that cannot be answered gets an
 * HTTP error and not half an answer. A few parts are read ahead, each on the lane of its device;
 * the event loop only passes on what is ready. A client that reads slowly holds those few parts and
 * no lane.
 *
 * <p>Memory is taken only while the client takes what it is sent: one part to begin with, and more
 * when it has taken some of that and is not behind. One that takes nothing for {@link #STALL} is
 * given up if somebody waits for the memory that it holds.
 *
 * <p>Confined to the event loop.
 */
public abstract class FetchResponse {
  /** Time after which a fetcher that takes nothing has stopped; no usual pause is longer. */
  static final Duration STALL = Duration.ofSeconds(30);

  /** Below this, memory is not divided any further, in bytes. */
  private static final int LEAST_PART_BYTES = 32 << 10;

  private final HandlerContext handler;
  private final Channel channel;
  private final boolean tls;

  /** None before all are found. */
  private List<Segment> segments = Immutable.listOf();

  private boolean begun;
  private boolean ended;

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

  /** Searches under way for outputs: for all at first, then for those that were moved. */
  private int searching;

  /** Times that parts were dropped, to be asked for anew: memory asked before is given back. */
  private int rewinds;

  /** Parts with memory that are written and not yet sent. */
  private int behind;

  private @Nullable SegmentMemory held;
  private boolean tookAny;
  private long tookNanos;
  private @Nullable ScheduledFuture<?> check;

  public FetchResponse(HandlerContext handler, Channel channel) {
    this.handler = handler;
    this.channel = channel;
    this.tls = channel.pipeline().get(SslHandler.class) != null;
  }

  /** Every segment is there, and bytes of the first: the head of the answer is to be written. */
  public abstract void begin(List<Segment> found);

  /** The first of a segment is about to be written. */
  public abstract void sending(Segment segment);

  public abstract void sent();

  /**
   * The answer cannot go on; of one that was not {@code begun} nothing is written. Told of this or
   * of {@link #sent}, once.
   */
  public abstract void failed(Throwable cause, boolean begun);

  /** Answers with one partition of some map outputs, in the order to send them. */
  public final void start(List<MapOutputId> ids, int partition) {
    Segment[] found = new Segment[ids.size()];
    searching = ids.size();
    for (int i = 0; i < ids.size() && !ended; i++) {
      int index = i;
      MapOutputId id = ids.get(index);
      if (id.plain()) {
        find(
            id,
            output -> {
              found[index] = new Segment(handler, output, partition);
              if (searching == 0) {
                segments = Immutable.listOf(found);
              }
            });
      } else {
        end(new IOException("Could not find a map output of the name " + id.attempt()));
      }
    }
  }

  @FunctionalInterface
  private interface Found {
    /** Throws when the output is not one to answer with. */
    void at(MapOutput output) throws IOException;
  }

  private void find(MapOutputId id, Found then) {
    CompletableFuture<?> unused =
        handler
            .cache()
            .find(id)
            .whenComplete((output, error) -> onLoop(() -> found(then, output, error)));
  }

  private void found(Found then, @Nullable MapOutput output, @Nullable Throwable error) {
    searching--;
    if (ended) {
      return;
    }
    if (output == null) {
      end(error == null ? new IOException("not found") : error);
      return;
    }
    try {
      then.at(output);
    } catch (IOException e) {
      end(e);
      return;
    }
    if (searching == 0) {
      goOn();
    }
  }

  /** Begins once all segments are found, and goes on when the connection takes more again. */
  public final void goOn() {
    askAhead();
    sendReady();
  }

  private void askAhead() {
    while (!ended
        && searching == 0
        && !waitingForMemory
        && number < segments.size()
        && unsent < Math.max(1, handler.context().maxSessionOpenFiles)
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
    return unsent > 0 && !(tookAny && handler.memory(segment.lane()).hasPlenty(segment.read()));
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
  final boolean zeroCopy(DeviceLane lane) {
    return !tls && !lane.slow() && handler.context().shuffleTransferToAllowed;
  }

  /**
   * Returns the bytes of a file that are read at once around a part of it: 0 where that costs more
   * than it saves, or where Hadoop's readahead is set to less than a block.
   */
  final int stretch(DeviceLane lane) {
    long most =
        lane.slow() ? Math.min(handler.context().readaheadLength, HandlerContext.PART_BYTES) : 0;
    return (int) (most - most % MapOutput.BLOCK_BYTES);
  }

  final void ready(SegmentPart part, ReferenceCounted payload) {
    if (part.dropped()) {
      payload.release();
      part.releaseMemory();
      return;
    }
    part.ready(payload);
    sendReady();
  }

  /** The file of a part was moved or deleted since it was found. */
  final void notThere(SegmentPart part, FileNotFoundException cause) {
    Segment segment = part.segment;
    if (part.dropped() || !segment.mayLookUpAgain()) {
      failed(part, cause);
      return;
    }
    part.releaseMemory();
    rewind(segment);
    searching++;
    handler.cache().forget(segment.id());
    find(segment.id(), segment::moved);
  }

  /**
   * Drops what was not sent of a segment, and all after it: these parts hold memory that the first
   * may need, and are sent after it only.
   */
  private void rewind(Segment segment) {
    while (asked.stream().anyMatch(part -> part.segment == segment)) {
      SegmentPart last = asked.removeLast();
      last.drop();
      unsent--;
      number = segments.indexOf(last.segment);
      offset = last.offset;
    }
    rewinds++;
    waitingForMemory = false;
    cancelWaiter();
  }

  final void failed(SegmentPart part, Throwable cause) {
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
    Segment segment = part.segment;
    if (part.first()) {
      if (!begun) {
        begun = true;
        begin(segments);
      }
      sending(segment);
      ChannelFuture unused = channel.write(segment.header());
    }
    watch(part);
    channel.write(part.takePayload(), channel.newProgressivePromise()).addListener(part);
  }

  final void tookSome() {
    tookAny = true;
    tookNanos = System.nanoTime();
  }

  /** A part was written, or cannot be. */
  final void sent(SegmentPart part, ChannelProgressiveFuture written) {
    unsent--;
    tookSome();
    if (part.memory() != null) {
      behind--;
    }
    part.releaseMemory();
    if (!written.isSuccess()) {
      end(written.cause());
      return;
    }
    if (part.last()) {
      Segment segment = part.segment;
      segment.sent();
      if (segment == segments.get(segments.size() - 1) && !ended) {
        ended = true;
        unwatch();
        sent();
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

  /** Ends with an error, if it has not ended; drops what is read or sent before that is told. */
  private void end(Throwable cause) {
    if (!ended) {
      drop();
      failed(cause, begun);
    }
  }

  /** The client is gone. */
  public final void abort() {
    if (!ended) {
      drop();
      if (begun) {
        failed(new ClosedChannelException(), true);
      }
    }
  }

  private void drop() {
    ended = true;
    unwatch();
    cancelWaiter();
    asked.forEach(SegmentPart::drop);
    asked.clear();
    segments.forEach(Segment::close);
  }

  /** Watches whether the client takes a part that is about to be written. */
  private void watch(SegmentPart part) {
    if (part.memory() == null) {
      return;
    }
    held = part.memory();
    if (behind++ == 0) {
      tookNanos = System.nanoTime();
    }
    if (check == null) {
      check = channel.eventLoop().scheduleWithFixedDelay(this::check, 1, 1, TimeUnit.SECONDS);
    }
  }

  private void check() {
    boolean stalled = behind > 0 && System.nanoTime() - tookNanos >= STALL.toNanos();
    if (stalled && held != null && held.isAwaited()) {
      end(
          new IOException(
              "The client took nothing for " + STALL.getSeconds() + " s, and others wait"));
    }
  }

  private void unwatch() {
    if (check != null) {
      check.cancel(false);
    }
  }

  final void onLoop(Runnable work) {
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
