// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.bench.experiment.Figure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What a group of fetchers got.
 *
 * @param fetches segments that arrived whole in the measured time
 * @param mbPerSecond millions of bytes of segments per second
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
  static final String FETCHES_PER_SECOND = "fetchesPerSecond";
  static final String MB_PER_SECOND = "mbPerSecond";
  static final String P999_MILLIS = "p999Millis";
  private static final String P50_MILLIS = "p50Millis";
  private static final String P99_MILLIS = "p99Millis";
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double BYTES_PER_MB = 1e6;

  static Tally of(Histogram nanos, long bytes, double seconds) {
    return new Tally(
        nanos.getTotalCount(),
        nanos.getTotalCount() / seconds,
        bytes / BYTES_PER_MB / seconds,
        nanos.getValueAtPercentile(50) / NANOS_PER_MILLI,
        nanos.getValueAtPercentile(99) / NANOS_PER_MILLI,
        nanos.getValueAtPercentile(99.9) / NANOS_PER_MILLI);
  }

  double seconds() {
    return fetches / fetchesPerSecond;
  }

  static List<Figure> figures(String prefix, String title) {
    return List.of(
        new Figure(name(prefix, FETCHES_PER_SECOND), title + "fetches/s"),
        new Figure(name(prefix, MB_PER_SECOND), "MB/s"),
        new Figure(name(prefix, P50_MILLIS), "p50 ms"),
        new Figure(name(prefix, P99_MILLIS), "p99 ms"),
        new Figure(name(prefix, P999_MILLIS), "p999 ms"));
  }

  Map<String, Double> values(String prefix) {
    Map<String, Double> values = new LinkedHashMap<>();
    values.put(name(prefix, "fetches"), (double) fetches);
    values.put(name(prefix, FETCHES_PER_SECOND), fetchesPerSecond);
    values.put(name(prefix, MB_PER_SECOND), mbPerSecond);
    values.put(name(prefix, P50_MILLIS), p50Millis);
    values.put(name(prefix, P99_MILLIS), p99Millis);
    values.put(name(prefix, P999_MILLIS), p999Millis);
    return values;
  }

  private static String name(String prefix, String name) {
    return prefix.isEmpty()
        ? name
        : prefix + Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
