// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.segment;

import io.netty.channel.Channel;
import io.temptier.shuffle.lane.SegmentMemory;
import io.temptier.shuffle.output.MapOutput;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one request: finds every map output asked for, and has the segments sent once the
 * first bytes are read, so that a request that cannot be answered gets an HTTP error and not half
 * an answer.
 *
 * <p>Watches whether the client takes what it is sent. Memory for what is written to it is held
 * until it does; when it takes nothing for {@link #STALL} and somebody waits for that memory, it is
 * given up.
 *
 * <p>Confined to the event loop.
 */
public abstract class FetchResponse {
  /** Time after which a fetcher that takes nothing has stopped; no usual pause is longer. */
  static final Duration STALL = Duration.ofSeconds(30);

  private final HandlerContext handler;
  private final Channel channel;
  private Segment[] segments = {};
  private int missing;
  private @Nullable SegmentSender sender;
  private boolean begun;
  private boolean ended;

  /** Parts with memory that are written and not yet sent. */
  private int behind;

  private @Nullable SegmentMemory held;
  private boolean tookAny;
  private long tookNanos;
  private @Nullable ScheduledFuture<?> check;

  public FetchResponse(HandlerContext handler, Channel channel) {
    this.handler = handler;
    this.channel = channel;
  }

  /** Every segment is there, and bytes of the first: the head of the answer is to be written. */
  public abstract void begin(List<Segment> found);

  /** The first of a segment is about to be written. */
  public abstract void sending(Segment segment);

  public abstract void sent();

  /** The answer cannot go on. Told of this or of {@link #sent}, once. */
  public abstract void failed(Throwable cause);

  /** Ends without an answer, as nothing was written. */
  public abstract void refused(Throwable cause);

  /** Answers with one partition of some map outputs, in the order to send them. */
  public final void start(List<MapOutputId> ids, int partition) {
    segments = new Segment[ids.size()];
    missing = ids.size();
    for (int i = 0; i < ids.size() && !ended; i++) {
      int number = i;
      MapOutputId id = ids.get(number);
      if (id.plain()) {
        CompletableFuture<?> unused =
            handler
                .cache()
                .find(id)
                .whenComplete(
                    (output, error) ->
                        HandlerContext.onLoop(
                            channel, () -> located(number, partition, output, error)));
      } else {
        refuse(new IOException("Could not find a map output of the name " + id.attempt()));
      }
    }
  }

  private void located(
      int number, int partition, @Nullable MapOutput output, @Nullable Throwable error) {
    if (ended) {
      return;
    }
    if (output == null) {
      refuse(error == null ? new IOException("not found") : error);
      return;
    }
    try {
      segments[number] = new Segment(handler, output, partition);
    } catch (IOException e) {
      refuse(e);
      return;
    }
    if (--missing == 0) {
      SegmentSender starting =
          new SegmentSender(handler, channel, Immutable.listOf(segments), this);
      sender = starting;
      starting.goOn();
    }
  }

  private void refuse(Throwable cause) {
    ended = true;
    refused(cause);
  }

  /** The connection takes more again. */
  public final void writable() {
    if (sender != null) {
      sender.goOn();
    }
  }

  public final void abort() {
    ended = true;
    if (sender != null) {
      sender.end(new ClosedChannelException());
    }
  }

  /** The first part of a segment is about to be written. */
  final void writing(Segment segment) {
    if (!begun) {
      begun = true;
      begin(Immutable.listOf(segments));
    }
    sending(segment);
  }

  /** The segments cannot be sent, or not all of them. */
  final void end(Throwable cause) {
    if (begun) {
      failed(cause);
    } else if (!ended) {
      refuse(cause);
    }
  }

  /** A part is about to be written. */
  final void wrote(SegmentPart part) {
    if (part.memory() == null) {
      return;
    }
    held = part.memory();
    if (behind++ == 0) {
      tookNanos = System.nanoTime();
    }
    if (check == null) {
      checkIn(STALL.toNanos());
    }
  }

  /** The client took some of what was written. */
  final void tookSome() {
    tookAny = true;
    tookNanos = System.nanoTime();
  }

  /** A part was sent, or never will be. */
  final void tookAll(SegmentPart part) {
    tookSome();
    if (part.memory() != null) {
      behind--;
    }
  }

  final boolean tookAny() {
    return tookAny;
  }

  private void checkIn(long nanos) {
    check = channel.eventLoop().schedule(this::check, nanos, TimeUnit.NANOSECONDS);
  }

  private void check() {
    check = null;
    if (behind <= 0 || held == null || sender == null) {
      return;
    }
    long left = STALL.toNanos() - (System.nanoTime() - tookNanos);
    if (left <= 0 && held.isAwaited()) {
      sender.end(
          new IOException(
              "The client took nothing for " + STALL.getSeconds() + " s, and others wait"));
    } else {
      checkIn(Math.max(left, TimeUnit.SECONDS.toNanos(1)));
    }
  }

  final void unwatch() {
    if (check != null) {
      check.cancel(false);
    }
  }
}
