// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import io.temptier.bench.report.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What profiles and committers are to reach. Each is a ratio within one run. */
final class Goals {
  /** The paper's 54 queries: 8267 s by sequential with 64K, 2659 s with its setting. */
  private static final double OVER_SEQUENTIAL = 3.1;

  private static final double OVER_DEFAULT = 1.2;
  private static final double MIXED_AT_MOST = 1.05;
  private static final double OVER_FILE_COMMITTER = 2.5;

  private final List<Arm> arms;

  private Goals(List<Arm> arms) {
    this.arms = arms;
  }

  /**
   * Holds what was measured against the goals.
   *
   * @param plan what was to be measured
   * @param arms what was
   */
  static List<Goal> of(S3aPlan plan, List<Arm> arms) {
    Goals goals = new Goals(arms);
    List<Goal> all = new ArrayList<>();
    for (String hadoop : plan.hadoops()) {
      all.addAll(goals.ofReaders(plan, hadoop));
    }
    String own = plan.hadoops().get(0);
    all.add(
        Goal.atLeast(
            "magic-vs-file",
            "TeraGen with the magic committer: at least 2.5x as fast as with the file committer",
            goals.ratio(own, Pattern.TERAGEN, Setups.FILE, Setups.MAGIC),
            OVER_FILE_COMMITTER));
    return all;
  }

  private List<Goal> ofReaders(S3aPlan plan, String hadoop) {
    List<Goal> goals = new ArrayList<>();
    for (Pattern pattern : List.of(Pattern.QUERIES, Pattern.FOOTERS)) {
      goals.add(
          Goal.atLeast(
              "columnar-" + pattern.label() + "-vs-sequential-" + hadoop,
              hadoop
                  + ", "
                  + pattern.label()
                  + ": columnar at least 3.1x as fast as sequential with 64K",
              ratio(hadoop, pattern, Setups.SEQUENTIAL, Setups.COLUMNAR),
              OVER_SEQUENTIAL));
    }
    goals.add(
        Goal.atLeast(
            "columnar-footers-vs-default-" + hadoop,
            hadoop + ", footers: columnar at least 1.2x as fast as the default",
            ratio(hadoop, Pattern.FOOTERS, Setups.STOCK, Setups.COLUMNAR),
            OVER_DEFAULT));
    for (Pattern pattern : plan.reads()) {
      goals.add(
          Goal.atMost(
              "mixed-" + pattern.label() + "-vs-default-" + hadoop,
              hadoop + ", " + pattern.label() + ": mixed takes at most 1.05x of the default's time",
              ratio(hadoop, pattern, Setups.MIXED, Setups.STOCK),
              MIXED_AT_MOST));
    }
    return goals;
  }

  /**
   * The first's time over the second's, the median of the rounds; or null when one was not
   * measured.
   */
  private @Nullable Double ratio(String hadoop, Pattern pattern, String above, String below) {
    Optional<Arm> first = find(hadoop, pattern, above);
    Optional<Arm> second = find(hadoop, pattern, below);
    return first.isEmpty() || second.isEmpty()
        ? null
        : Double.valueOf(second.get().speedUp(first.get()));
  }

  private Optional<Arm> find(String hadoop, Pattern pattern, String name) {
    return arms.stream()
        .filter(arm -> arm.hadoop().equals(hadoop))
        .filter(arm -> arm.pattern() == pattern && arm.name().equals(name))
        .findFirst();
  }
}
