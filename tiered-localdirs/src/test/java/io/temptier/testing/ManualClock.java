// SPDX-License-Identifier: Apache-2.0
package io.temptier.testing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that tests turn: wall time, which can also be set, and nanoseconds, which only go on.
 * Starts at the real time, since file systems stamp with it. Safe for use by many threads.
 */
public final class ManualClock extends Clock {
  private final AtomicLong millis;
  private final AtomicLong nanos = new AtomicLong(System.nanoTime());

  public ManualClock() {
    this(System.currentTimeMillis());
  }

  /** One that starts at another time. */
  public ManualClock(long millis) {
    this.millis = new AtomicLong(millis);
  }

  @Override
  public long millis() {
    return millis.get();
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }

  /** Nanoseconds since some time. */
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
