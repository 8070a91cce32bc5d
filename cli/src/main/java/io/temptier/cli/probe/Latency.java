// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import com.google.auto.value.AutoValue;
import org.HdrHistogram.Histogram;

/** How long requests took, in microseconds. */
@AutoValue
public abstract class Latency {

  private static final double NANOS = 1e3;

  public abstract long requests();

  public abstract double mean();

  public abstract double p50();

  /** 90 of 100 took at most this long. */
  public abstract double p90();

  /** 99 of 100. */
  public abstract double p99();

  public abstract double p999();

  public abstract double p9999();

  public abstract double p99999();

  public abstract double max();

  public static Latency of(
      long requests,
      double mean,
      double p50,
      double p90,
      double p99,
      double p999,
      double p9999,
      double p99999,
      double max) {
    return new AutoValue_Latency(requests, mean, p50, p90, p99, p999, p9999, p99999, max);
  }

  static Latency of(Histogram nanos) {
    return Latency.of(
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
