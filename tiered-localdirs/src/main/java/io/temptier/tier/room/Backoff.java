// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers that a dir failed. It is left alone for {@link #FIRST}, doubled with each failure in a
 * row up to {@link #LONGEST}; it is logged when it first fails and when it works again, with the
 * count. Safe for use by many threads.
 */
public final class Backoff {
  public static final Duration FIRST = Duration.ofSeconds(1);
  static final Duration LONGEST = Duration.ofSeconds(60);

  private static final Logger LOG = LoggerFactory.getLogger(Backoff.class);

  private final Object dir;
  private final LongSupplier clockNanos;
  private int inARow;
  private long sinceWorking;
  private long total;
  private long retryNanos;

  Backoff(Object dir, LongSupplier clockNanos) {
    this.dir = dir;
    this.clockNanos = clockNanos;
  }

  /** True while the dir is to be left alone. */
  public synchronized boolean waiting() {
    return inARow > 0 && clockNanos.getAsLong() - retryNanos < 0;
  }

  /**
   * Counts a failure. One that comes while the dir is already left alone was begun before, as by
   * the other threads that were writing: it is no sign that the dir failed again.
   */
  public synchronized void failed(String error) {
    total++;
    sinceWorking++;
    if (waiting()) {
      return;
    }
    if (inARow == 0) {
      LOG.warn(
          "Local dir {} failed and is set aside, to be tried again from time to time; files go to"
              + " the others: {}",
          dir,
          error);
    }
    long backoff = FIRST.toNanos() << Math.min(inARow, 10);
    retryNanos = clockNanos.getAsLong() + Math.min(backoff, LONGEST.toNanos());
    inARow++;
  }

  /** The dir took a file. */
  public synchronized void worked() {
    if (inARow > 0) {
      LOG.info("Local dir {} works again after {} failures", dir, sinceWorking);
      inARow = 0;
      sinceWorking = 0;
    }
  }

  public synchronized long total() {
    return total;
  }
}
