// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.segment;

import io.netty.channel.Channel;
import io.temptier.shuffle.lane.SegmentMemory;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether a client takes what it is sent. Memory for what is written to it is held until it does;
 * when it takes nothing for {@link #STALL} and somebody waits for that memory, it is given up.
 *
 * <p>Confined to the event loop.
 */
final class ClientProgress {
  /** Who takes nothing for so long has stopped; garbage collection seldom takes longer. */
  static final Duration STALL = Duration.ofSeconds(30);

  private final Channel channel;
  private final Consumer<IOException> stalled;

  /** Parts with memory that are written and not yet sent. */
  private int behind;

  private @Nullable SegmentMemory held;
  private boolean tookAny;
  private long tookNanos;
  private @Nullable ScheduledFuture<?> check;

  /**
   * A client that took nothing yet.
   *
   * @param stalled told when the client is to be given up
   */
  ClientProgress(Channel channel, Consumer<IOException> stalled) {
    this.channel = channel;
    this.stalled = stalled;
  }

  /** A part is about to be written. */
  void wrote(SegmentPart part) {
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
  void tookSome() {
    tookAny = true;
    tookNanos = System.nanoTime();
  }

  /** A part was sent, or never will be. */
  void tookAll(SegmentPart part) {
    tookSome();
    if (part.memory() != null) {
      behind--;
    }
  }

  boolean tookAny() {
    return tookAny;
  }

  private void checkIn(long nanos) {
    check = channel.eventLoop().schedule(this::check, nanos, TimeUnit.NANOSECONDS);
  }

  private void check() {
    check = null;
    SegmentMemory memory = held;
    if (behind <= 0 || memory == null) {
      return;
    }
    long left = STALL.toNanos() - (System.nanoTime() - tookNanos);
    if (left <= 0 && memory.isAwaited()) {
      stalled.accept(
          new IOException(
              "The client took nothing for " + STALL.getSeconds() + " s, and others wait"));
    } else {
      checkIn(Math.max(left, TimeUnit.SECONDS.toNanos(1)));
    }
  }

  /** Watches no more. */
  void close() {
    if (check != null) {
      check.cancel(false);
    }
  }
}
