// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.segment;

import io.netty.channel.Channel;
import io.temptier.shuffle.output.MapOutput;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one request: finds every map output asked for, so that a request that cannot be
 * answered gets an HTTP error and not half an answer, and then sends the segments.
 *
 * <p>Confined to the event loop.
 */
public abstract class FetchResponse {
  private final HandlerContext handler;
  private final Channel channel;
  private final List<MapOutputId> ids;
  private final int partition;

  /** By the numbers of their outputs in the request. */
  private final Map<Integer, Segment> segments = new TreeMap<>();

  private @Nullable SegmentSender sender;
  private boolean ended;

  /** The answer to a request for one partition of some map outputs, in the order to send them. */
  public FetchResponse(
      HandlerContext handler, Channel channel, List<MapOutputId> ids, int partition) {
    this.handler = handler;
    this.channel = channel;
    this.ids = ids;
    this.partition = partition;
  }

  /** Every segment is there: the head of the answer is to be written. */
  public abstract void begin(List<Segment> found);

  /** Every segment was written. */
  public abstract void sent();

  /** The answer cannot go on. Told of this or of {@link #sent}, once. */
  public abstract void failed(Throwable cause);

  /** There is no answer; nothing was written. */
  public abstract void refused(Throwable cause);

  public final void start() {
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
                        HandlerContext.onLoop(channel, () -> located(number, output, error)));
      } else {
        refuse(new IOException("Could not find a map output of the name " + id.attempt()));
      }
    }
  }

  private void located(int number, @Nullable MapOutput output, @Nullable Throwable error) {
    if (ended) {
      return;
    }
    if (output == null) {
      refuse(error == null ? new IOException("not found") : error);
      return;
    }
    try {
      Segment segment = new Segment(output, partition, handler.tracker(), handler.files());
      segments.put(number, segment);
      if (handler.dropsWhatWasSent() && handler.tracker().wasFetched(output.id(), partition)) {
        // It was dropped from the page cache when it had been sent.
        output.warm().dropped(segment.offset(), segment.end());
      }
    } catch (IOException e) {
      refuse(e);
      return;
    }
    if (segments.size() == ids.size()) {
      List<Segment> found = Immutable.listFrom(segments.values());
      begin(found);
      SegmentSender starting = new SegmentSender(handler, channel, found, this);
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

  /** The connection is gone. */
  public final void abort() {
    ended = true;
    if (sender != null) {
      sender.abort();
    }
  }
}
