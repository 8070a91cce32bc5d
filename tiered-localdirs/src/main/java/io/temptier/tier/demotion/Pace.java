// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import io.temptier.tier.demotion.MoveStoppedException.MoveResult;
import java.util.concurrent.TimeUnit;

/**
 * Spreads bytes evenly over time. Time that was not used is not made up for, so that a pause is not
 * followed by a burst. Safe for use by many threads, which share the rate.
 */
public final class Pace {
  /** Larger ones would save little more. */
  private static final int LARGEST_PART = 8 << 20;

  private static final int SMALLEST_PART = 64 << 10;

  /** The least parts a second, so that a move can be stopped soon. */
  private static final int PARTS_PER_SECOND = 8;

  private final long bytesPerSecond;
  private long nextNanos = System.nanoTime();

  public Pace(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  public int partBytes() {
    long part = bytesPerSecond / PARTS_PER_SECOND;
    return (int) Math.max(SMALLEST_PART, Math.min(LARGEST_PART, part));
  }

  /** Waits until so many bytes may be written; throws where the thread is to end. */
  public void await(long bytes) throws MoveStoppedException {
    // In whole numbers 9 GB would be more nanoseconds than there are.
    long takes = (long) ((double) bytes / bytesPerSecond * TimeUnit.SECONDS.toNanos(1));
    long wait;
    synchronized (this) {
      long now = System.nanoTime();
      wait = Math.max(0, nextNanos - now);
      nextNanos = now + wait + takes;
    }
    try {
      TimeUnit.NANOSECONDS.sleep(wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MoveStoppedException(MoveResult.GIVEN_UP, "demotion is being stopped");
    }
  }
}
