// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.bench.testbed.DiskReads;
import io.temptier.cli.report.Sample;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One handler in one scenario, all rounds of it.
 *
 * @param name the handler's
 * @param scenario what was fetched
 * @param rounds in the order they were measured, at least one
 */
record Arm(String name, Scenario scenario, List<Measurement> rounds) {
  Arm {
    rounds = List.copyOf(rounds);
  }

  /** The median of a figure over the rounds. */
  double median(ToDoubleFunction<Measurement> figure) {
    return Sample.median(rounds.stream().mapToDouble(figure));
  }

  /**
   * How many times another arm's this one's figure is: the median of the rounds' ratios, each of
   * two measurements that were made one after the other, so that what slows the whole machine down
   * for some rounds slows both.
   */
  double ratio(Arm below, ToDoubleFunction<Measurement> figure) {
    return Sample.median(
        IntStream.range(0, Math.min(rounds.size(), below.rounds.size()))
            .mapToDouble(
                round ->
                    figure.applyAsDouble(rounds.get(round))
                        / figure.applyAsDouble(below.rounds.get(round))));
  }

  /** Fetches per second of those that are looked at. */
  double fetchesPerSecond() {
    return median(round -> round.main().fetchesPerSecond());
  }

  /** Millions of bytes per second of those that are looked at. */
  double mbPerSecond() {
    return median(round -> round.main().mbPerSecond());
  }

  /** The median of their latencies. */
  double p50Millis() {
    return median(round -> round.main().p50Millis());
  }

  /** What 99 of 100 of their latencies do not exceed. */
  double p99Millis() {
    return median(round -> round.main().p99Millis());
  }

  /** What 999 of 1000 of their latencies do not exceed. */
  double p999Millis() {
    return median(round -> round.main().p999Millis());
  }

  /** Microseconds of CPU that the handler spent on a fetch. */
  double cpuMicrosPerFetch() {
    return median(Measurement::cpuMicrosPerFetch);
  }

  /** The median of what the slow disk was asked for, or null when nobody counted it. */
  @Nullable DiskReads slowReads() {
    if (rounds.stream().anyMatch(round -> round.slowReads() == null)) {
      return null;
    }
    return new DiskReads(
        (long) median(round -> Objects.requireNonNull(round.slowReads()).requests()),
        (long) median(round -> Objects.requireNonNull(round.slowReads()).bytes()));
  }

  /** The most resident memory of any round. */
  long peakMemoryBytes() {
    return rounds.stream().mapToLong(Measurement::peakMemoryBytes).max().orElse(0);
  }

  /** The most memory of direct buffers. */
  long peakDirectBytes() {
    return rounds.stream().mapToLong(Measurement::peakDirectBytes).max().orElse(0);
  }

  /** Whether others fetched from the slow disk beside them. */
  boolean hasBeside() {
    return rounds.stream().allMatch(round -> round.beside() != null);
  }

  /** The median of a figure of those beside. */
  double medianBeside(ToDoubleFunction<Tally> figure) {
    return median(
        round -> round.beside() == null ? Double.NaN : figure.applyAsDouble(round.beside()));
  }
}
