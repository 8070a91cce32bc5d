// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.demotion;

import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

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
  private final LongUnaryOperator nanosFor;
  private long nextNanos = System.nanoTime();

  /** Makes a pace that has its rate for itself. */
  public Pace(long bytesPerSecond) {
    this(bytesPerSecond, bytes -> NodeRate.nanos(bytes, bytesPerSecond));
  }

  /**
   * Makes a pace that asks how many nanoseconds so many bytes take now; that may look at a disk.
   */
  Pace(long bytesPerSecond, LongUnaryOperator nanosFor) {
    this.bytesPerSecond = bytesPerSecond;
    this.nanosFor = nanosFor;
  }

  public int partBytes() {
    long part = bytesPerSecond / PARTS_PER_SECOND;
    return (int) Math.max(SMALLEST_PART, Math.min(LARGEST_PART, part));
  }

  public void await(long bytes) throws InterruptedException {
    long takes = nanosFor.applyAsLong(bytes);
    long wait;
    synchronized (this) {
      long now = System.nanoTime();
      wait = Math.max(0, nextNanos - now);
      nextNanos = now + wait + takes;
    }
    if (wait > 0) {
      TimeUnit.NANOSECONDS.sleep(wait);
    }
  }
}
