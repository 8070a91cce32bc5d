// SPDX-License-Identifier: Apache-2.0
package io.temptier.testing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that tests turn: wall time, which can also be set, and nanoseconds, which only go on.
 * Starts at the real time, since file systems stamp with it. Safe for use by many threads.
 */
public final class ManualClock {
  private final AtomicLong millis;
  private final AtomicLong nanos = new AtomicLong(System.nanoTime());

  public ManualClock() {
    this(System.currentTimeMillis());
  }

  public ManualClock(long millis) {
    this.millis = new AtomicLong(millis);
  }

  public long millis() {
    return millis.get();
  }

  public long nanos() {
    return nanos.get();
  }

  /** Lets time pass on both. */
  public void advance(Duration time) {
    millis.addAndGet(time.toMillis());
    nanos.addAndGet(time.toNanos());
  }

  /** Sets the wall clock forward, or back by a negative duration, while no time passes. */
  public void step(Duration step) {
    millis.addAndGet(step.toMillis());
  }
}
