// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.bench.shuffle.MapOutputs.Segment;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;

/** One fetcher: the next fetch begins when the last one is done, as in a reducer. */
final class Fetcher implements Callable<Fetcher> {
  private static final long LOWEST_NANOS = 1_000;
  private static final long HIGHEST_NANOS = 600_000_000_000L;
  private static final int DIGITS = 3;

  private final FetchConnection connection;
  private final FetchOrder order;
  private final long fromNanos;
  private final long untilNanos;
  private final Histogram latencies = new Histogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
  private long bytes;
  private long endNanos;

  /**
   * A fetcher.
   *
   * @param fromNanos the clock's time from which what arrives counts
   * @param untilNanos the clock's time after which no fetch begins, and what arrives counts no more
   */
  Fetcher(FetchConnection connection, FetchOrder order, long fromNanos, long untilNanos) {
    this.connection = connection;
    this.order = order;
    this.fromNanos = fromNanos;
    this.untilNanos = untilNanos;
  }

  @Override
  public Fetcher call() throws IOException {
    for (Segment segment = order.next();
        segment != null && System.nanoTime() - untilNanos < 0;
        segment = order.next()) {
      long nanos = connection.fetch(segment);
      long now = System.nanoTime();
      if (now - fromNanos >= 0 && now - untilNanos <= 0) {
        latencies.recordValue(Math.max(LOWEST_NANOS, Math.min(HIGHEST_NANOS, nanos)));
        bytes += segment.partLength();
      }
    }
    endNanos = System.nanoTime();
    return this;
  }

  /** How long the fetches took. Only when it has ended. */
  Histogram latencies() {
    return latencies;
  }

  /** Bytes of segments that arrived. Only when it has ended. */
  long bytes() {
    return bytes;
  }

  /** The clock's time when it ended. Only then. */
  long endNanos() {
    return endNanos;
  }
}
