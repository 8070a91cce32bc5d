// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
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
  static final String MB_PER_SECOND = "mbPerSecond";
  private static final TypeReference<Map<String, Double>> NUMBERS = new TypeReference<>() {};
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
        new Figure(name(prefix, "fetchesPerSecond"), title + "fetches/s"),
        new Figure(name(prefix, MB_PER_SECOND), "MB/s"),
        new Figure(name(prefix, "p50Millis"), "p50 ms"),
        new Figure(name(prefix, "p99Millis"), "p99 ms"),
        new Figure(name(prefix, "p999Millis"), "p999 ms"));
  }

  /** What it has, by the names of its figures. */
  Map<String, Double> values(String prefix) {
    Map<String, Double> values = new LinkedHashMap<>();
    new ObjectMapper()
        .convertValue(this, NUMBERS)
        .forEach((name, value) -> values.put(name(prefix, name), value));
    return values;
  }

  private static String name(String prefix, String name) {
    return prefix.isEmpty()
        ? name
        : prefix + Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
