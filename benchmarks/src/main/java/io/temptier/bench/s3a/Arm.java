// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.cli.report.Sample;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * One way to set S3A up, in one pattern, all rounds of it.
 *
 * @param name the way's
 * @param hadoop the version of Hadoop
 * @param pattern what was measured
 * @param rounds in their order, at least one
 */
record Arm(String name, String hadoop, Pattern pattern, List<Measurement> rounds) {
  private static final double MEGA = 1e6;

  Arm {
    rounds = List.copyOf(rounds);
  }

  /** The median time. */
  double medianSeconds() {
    return median(Measurement::seconds);
  }

  /** Millions of wanted bytes per second. */
  double mbPerSecond() {
    return median(round -> round.bytes() / round.seconds()) / MEGA;
  }

  /** What came from the store, 0 when the stream does not say. */
  long storeBytes() {
    return (long) median(Measurement::storeBytes);
  }

  /** Requests for objects, 0 when they are not counted. */
  long requests() {
    return (long) median(Measurement::requests);
  }

  /**
   * How many times as fast as another it is: the median of the rounds' ratios, each of measurements
   * of one round, so that what slows the whole machine down for a while slows both.
   */
  double speedUp(Arm other) {
    return new Sample(
            IntStream.range(0, Math.min(rounds.size(), other.rounds.size()))
                .mapToObj(round -> other.rounds.get(round).seconds() / rounds.get(round).seconds())
                .toList())
        .median();
  }

  private double median(ToDoubleFunction<Measurement> figure) {
    return new Sample(rounds.stream().map(figure::applyAsDouble).toList()).median();
  }
}
