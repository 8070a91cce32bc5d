// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.netty.channel.Channel;
import io.temptier.shuffle.output.MapOutputId;
import io.temptier.tier.lang.Immutable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one request: finds every map output asked for, opens each file once, so that a
 * request that cannot be answered gets an HTTP error and not half an answer, and then sends the
 * segments.
 *
 * <p>Confined to the event loop, but for what is said to run on a lane.
 */
final class FetchResponse implements SegmentSender.Listener {
  /** The connection's side. Called on the event loop. */
  interface Connection {
    /** Every segment is there: the head of the answer is to be written. */
    void begin(long segmentBytes, List<Segment> segments);

    /** The answer is complete but for the last flush. */
    void complete();

    /** There is no answer; nothing was written. */
    void refuse(Throwable cause);

    /** The answer broke off. */
    void breakOff(Throwable cause);
  }

  /** What a lane found out about the files it was to open. */
  private static final class LaneResult {
    private final List<Integer> missing = new ArrayList<>();
    private @Nullable Throwable error;
  }

  private final HandlerContext handler;
  private final Channel channel;
  private final Connection connection;
  private final List<MapOutputId> ids;
  private final int partition;
  private final @Nullable Segment[] segments;
  private final List<Integer> missing = new ArrayList<>();
  private int pending;
  private @Nullable SegmentSender sender;
  private volatile boolean ended;

  /** The answer to a request for one partition of some map outputs, in the order to send them. */
  FetchResponse(
      HandlerContext handler,
      Channel channel,
      Connection connection,
      List<MapOutputId> ids,
      int partition) {
    this.handler = handler;
    this.channel = channel;
    this.connection = connection;
    this.ids = ids;
    this.partition = partition;
    this.segments = new Segment[ids.size()];
  }

  /** Begins. */
  void start() {
    locate(IntStream.range(0, ids.size()).boxed().collect(Immutable.toList()));
  }

  private void locate(List<Integer> numbers) {
    pending = numbers.size();
    for (int number : numbers) {
      MapOutputId id = ids.get(number);
      if (!id.plain()) {
        refuse(new IOException("Could not find a map output of the name " + id.attempt()));
        return;
      }
      handler
          .cache()
          .find(id, (output, error) -> onLoop(() -> located(numbers, number, output, error)));
      if (ended) {
        return;
      }
    }
  }

  private void located(
      List<Integer> numbers, int number, @Nullable MapOutput output, @Nullable Throwable error) {
    if (ended) {
      return;
    }
    if (output == null) {
      refuse(error == null ? new IOException("not found") : error);
      return;
    }
    try {
      MapOutputId id = ids.get(number);
      Segment segment = segments[number];
      if (segment == null) {
        segment = new Segment(output, partition, handler.tracker(), handler.files());
        segments[number] = segment;
      } else {
        segment.moved(output);
      }
      if (handler.dropsWhatWasSent() && handler.tracker().wasFetched(id, partition)) {
        // It was dropped from the page cache when it had been sent.
        output.warm().dropped(segment.offset(), segment.end());
      }
    } catch (IOException e) {
      refuse(e);
      return;
    }
    if (--pending == 0) {
      open(numbers);
    }
  }

  private void open(List<Integer> numbers) {
    Map<DeviceLane, List<Integer>> byLane = new LinkedHashMap<>();
    for (int number : numbers) {
      Segment segment = segment(number);
      if (!segment.beginsWarm() || !openNow(number)) {
        byLane.computeIfAbsent(segment.lane(), any -> new ArrayList<>()).add(number);
      }
    }
    pending = byLane.size() + 1;
    byLane.forEach(
        (lane, onLane) -> {
          try {
            lane.submit(LaneQueue.Job.lookUp(ids.get(0).user(), () -> openOnLane(lane, onLane)));
          } catch (RejectedExecutionException e) {
            refuse(new IOException(e.getMessage(), e));
          }
        });
    opened(new LaneResult());
  }

  private boolean openNow(int number) {
    OpenFile open = segment(number).openNow();
    if (open != null) {
      letGo(number, open);
    }
    return open != null;
  }

  /** On the lane. */
  private void openOnLane(DeviceLane lane, List<Integer> numbers) {
    long began = System.nanoTime();
    LaneResult opened = openAll(numbers);
    if (!lane.slow()) {
      handler.stats(lane).read(System.nanoTime() - began);
    }
    onLoop(() -> opened(opened));
  }

  /** On the lane. */
  private LaneResult openAll(List<Integer> numbers) {
    LaneResult opened = new LaneResult();
    for (int number : numbers) {
      if (ended || opened.error != null) {
        break;
      }
      try {
        openOne(number);
      } catch (FileNotFoundException e) {
        if (segment(number).mayLookUpAgain()) {
          opened.missing.add(number);
        } else {
          opened.error = e;
        }
      } catch (IOException | RuntimeException | Error e) {
        opened.error = e;
      }
    }
    return opened;
  }

  private void openOne(int number) throws IOException {
    OpenFile open = segment(number).open();
    try {
      Segment segment = segment(number);
      if (number == 0 && !segment.lane().slow()) {
        handler.reader().warm(open, segment.offset(), segment.firstPartEnd());
      }
    } finally {
      letGo(number, open);
    }
  }

  private void letGo(int number, OpenFile open) {
    open.release();
    if (number >= handler.ahead()) {
      // A request may name a thousand outputs: only the next few stay open.
      segment(number).closeForNow();
    }
  }

  private void opened(LaneResult opened) {
    if (ended) {
      closeSegments();
      return;
    }
    if (opened.error != null) {
      refuse(opened.error);
      return;
    }
    missing.addAll(opened.missing);
    if (--pending > 0) {
      return;
    }
    if (missing.isEmpty()) {
      send();
      return;
    }
    // Moved or deleted since they were found.
    List<Integer> again = Immutable.copyOf(missing);
    missing.clear();
    again.forEach(number -> handler.cache().forget(ids.get(number)));
    locate(again);
  }

  private void send() {
    List<Segment> all = new ArrayList<>();
    long bytes = 0;
    for (int number = 0; number < segments.length; number++) {
      all.add(segment(number));
      bytes += segment(number).length();
    }
    connection.begin(bytes, all);
    SegmentSender starting = new SegmentSender(handler, channel, all, this);
    sender = starting;
    starting.goOn();
  }

  private Segment segment(int number) {
    return Objects.requireNonNull(segments[number]);
  }

  @Override
  public void sent() {
    ended = true;
    connection.complete();
  }

  @Override
  public void failed(Throwable cause) {
    ended = true;
    connection.breakOff(cause);
  }

  private void refuse(Throwable cause) {
    if (!ended) {
      abort();
      connection.refuse(cause);
    }
  }

  /** The connection takes more again. */
  void writable() {
    if (sender != null && !ended) {
      sender.goOn();
    }
  }

  /** The connection is gone, or the answer given up. */
  void abort() {
    ended = true;
    if (sender != null) {
      sender.abort();
      return;
    }
    closeSegments();
  }

  private void closeSegments() {
    for (Segment segment : segments) {
      if (segment != null) {
        segment.close();
      }
    }
  }

  private void onLoop(Runnable work) {
    HandlerContext.onLoop(channel, work);
  }
}
