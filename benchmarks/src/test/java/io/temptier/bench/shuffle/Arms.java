// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.bench.testbed.DiskReads;
import java.util.ArrayList;
import java.util.List;

/** Arms with made-up figures. */
final class Arms {
  private Arms() {}

  /** An arm with a round for each rate, and as many milliseconds of p999. */
  static Arm of(String name, Scenario scenario, double p999Millis, double... rates) {
    List<Measurement> rounds = new ArrayList<>();
    for (double rate : rates) {
      Tally tally = new Tally(100, rate, rate / 10, 1, 2, p999Millis);
      Tally beside = scenario == Scenario.MIXED ? new Tally(10, 5, 0.5, 50, 60, 70) : null;
      DiskReads reads = new DiskReads((long) rate, ((long) rate) << 20);
      rounds.add(new Measurement(tally, beside, reads, 0.5, ((long) rate) * 1000, 7));
    }
    return new Arm(name, scenario, rounds);
  }
}
