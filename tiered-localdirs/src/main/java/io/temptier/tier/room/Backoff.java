// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers that something failed, such as a dir. It is left alone for a while, doubled with each
 * failure in a row; it is logged when it first fails and when it works again, with the count. Safe
 * for use by many threads.
 */
public final class Backoff {
  public static final Duration FIRST = Duration.ofSeconds(1);

  static final Duration LONGEST = Duration.ofSeconds(60);

  private static final Logger LOG = LoggerFactory.getLogger(Backoff.class);

  private final String name;
  private final String effect;
  private final Duration first;
  private final Duration longest;
  private final LongSupplier clockNanos;
  private int inARow;
  private long sinceWorking;
  private long total;
  private long retryNanos;

  /** Starts without a failure; the name, and the effect of a failure, are for the log. */
  public Backoff(
      String name, String effect, Duration first, Duration longest, LongSupplier clockNanos) {
    this.name = name;
    this.effect = effect;
    this.first = first;
    this.longest = longest;
    this.clockNanos = clockNanos;
  }

  static Backoff ofDir(Object dir, LongSupplier clockNanos) {
    return new Backoff("Local dir " + dir, "files go to the others", FIRST, LONGEST, clockNanos);
  }

  public synchronized boolean waiting() {
    return inARow > 0 && clockNanos.getAsLong() - retryNanos < 0;
  }

  /**
   * Counts a failure. One that comes while it is already left alone was begun before, as by other
   * threads that were writing: it is no sign that it failed again.
   */
  public synchronized void failed(String error) {
    total++;
    sinceWorking++;
    if (waiting()) {
      return;
    }
    if (inARow == 0) {
      LOG.warn(
          "{} failed and is set aside, to be tried again from time to time; {}: {}",
          name,
          effect,
          error);
    }
    long backoff = first.toNanos() << Math.min(inARow, 10);
    retryNanos = clockNanos.getAsLong() + Math.min(backoff, longest.toNanos());
    inARow++;
  }

  public synchronized void worked() {
    if (inARow > 0) {
      LOG.info("{} works again after {} failures", name, sinceWorking);
      inARow = 0;
      sinceWorking = 0;
    }
  }

  public synchronized long total() {
    return total;
  }
}
