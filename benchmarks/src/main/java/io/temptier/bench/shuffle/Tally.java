// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import org.HdrHistogram.Histogram;

/**
 * What a group of fetchers got.
 *
 * @param fetches segments that arrived whole in the measured time
 * @param fetchesPerSecond those per second
 * @param mbPerSecond millions of bytes of segments per second
 * @param p50Millis the median of their latencies
 * @param p99Millis 99 of 100 took at most this long
 * @param p999Millis 999 of 1000
 */
record Tally(
    long fetches,
    double fetchesPerSecond,
    double mbPerSecond,
    double p50Millis,
    double p99Millis,
    double p999Millis) {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double BYTES_PER_MB = 1e6;

  /** The tally of some latencies in nanoseconds. */
  static Tally of(Histogram nanos, long bytes, double seconds) {
    return new Tally(
        nanos.getTotalCount(),
        nanos.getTotalCount() / seconds,
        bytes / BYTES_PER_MB / seconds,
        nanos.getValueAtPercentile(50) / NANOS_PER_MILLI,
        nanos.getValueAtPercentile(99) / NANOS_PER_MILLI,
        nanos.getValueAtPercentile(99.9) / NANOS_PER_MILLI);
  }
}
