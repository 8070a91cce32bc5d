// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.bench.report.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What the tiered handler is to reach. Each is a ratio within one run, or a time. */
final class Goals {
  private static final double MIXED_RATE = 0.7;
  private static final double BETTER_THAN_STOCK = 50;
  private static final double ALL_FAST = 1.0;
  private static final double ALL_SLOW = 1.2;

  /** Handler, load, and the kernel's loop devices have to share fewer cores than this. */
  private static final int MANY_CORES = 8;

  private static final double FEW_CORES_MILLIS = 10;
  private static final double MANY_CORES_MILLIS = 5;

  private Goals() {}

  /**
   * Holds what was measured against the goals.
   *
   * @param arms what was measured
   * @param stock the name of stock's arms
   * @param ours the name of the others
   * @param cores of this machine
   */
  static List<Goal> of(List<Arm> arms, String stock, String ours, int cores) {
    double millis = cores >= MANY_CORES ? MANY_CORES_MILLIS : FEW_CORES_MILLIS;
    List<Goal> goals = new ArrayList<>();
    goals.add(
        Goal.atLeast(
            "mixed-fast-rate",
            "slow disk saturated: fast fetches keep at least 0.7x of their rate alone",
            ratio(
                find(arms, ours, Scenario.MIXED),
                find(arms, ours, Scenario.ALL_FAST),
                round -> round.main().fetchesPerSecond()),
            MIXED_RATE));
    Optional<Arm> mixed = find(arms, ours, Scenario.MIXED);
    goals.add(
        Goal.below(
            "mixed-fast-p999",
            String.format(
                Locale.ROOT,
                "slow disk saturated: p999 of fast fetches below %.0f ms (%d cores)",
                millis,
                cores),
            mixed.isPresent() ? mixed.get().p999Millis() : null,
            millis));
    goals.add(
        Goal.atLeast(
            "mixed-fast-p999-vs-stock",
            "slow disk saturated: p999 of fast fetches at least 50x better than stock's",
            ratio(find(arms, stock, Scenario.MIXED), mixed, round -> round.main().p999Millis()),
            BETTER_THAN_STOCK));
    goals.add(
        Goal.atLeast(
            "all-fast-throughput",
            "fast disk alone: at least 1.0x of stock's MB/s",
            ratio(
                find(arms, ours, Scenario.ALL_FAST),
                find(arms, stock, Scenario.ALL_FAST),
                round -> round.main().mbPerSecond()),
            ALL_FAST));
    goals.add(
        Goal.atLeast(
            "all-slow-throughput",
            "slow disk alone: at least 1.2x of stock's MB/s",
            ratio(
                find(arms, ours, Scenario.ALL_SLOW),
                find(arms, stock, Scenario.ALL_SLOW),
                round -> round.main().mbPerSecond()),
            ALL_SLOW));
    return goals;
  }

  private static Optional<Arm> find(List<Arm> arms, String name, Scenario scenario) {
    return arms.stream()
        .filter(arm -> arm.name().equals(name) && arm.scenario() == scenario)
        .findFirst();
  }

  private static @Nullable Double ratio(
      Optional<Arm> above, Optional<Arm> below, ToDoubleFunction<Measurement> figure) {
    if (above.isEmpty() || below.isEmpty()) {
      return null;
    }
    return above.get().ratio(below.get(), figure);
  }
}
