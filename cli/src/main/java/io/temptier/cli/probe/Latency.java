// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import org.HdrHistogram.Histogram;

/**
 * How long requests took, in microseconds.
 *
 * @param p90 90 of 100 took at most this long
 * @param p99 99 of 100
 */
public record Latency(
    long requests,
    double mean,
    double p50,
    double p90,
    double p99,
    double p999,
    double p9999,
    double p99999,
    double max) {
  private static final double NANOS = 1e3;

  static Latency of(Histogram nanos) {
    return new Latency(
        nanos.getTotalCount(),
        nanos.getMean() / NANOS,
        at(nanos, 50),
        at(nanos, 90),
        at(nanos, 99),
        at(nanos, 99.9),
        at(nanos, 99.99),
        at(nanos, 99.999),
        nanos.getMaxValue() / NANOS);
  }

  private static double at(Histogram nanos, double percentile) {
    return nanos.getValueAtPercentile(percentile) / NANOS;
  }
}
