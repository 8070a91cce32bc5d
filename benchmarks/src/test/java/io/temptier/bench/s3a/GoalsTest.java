// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.temptier.bench.report.Goal;
import io.temptier.bench.testbed.DiskSpeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class GoalsTest {
  private static final S3aPlan PLAN =
      new S3aPlan(
          List.of(Pattern.FOOTERS, Pattern.QUERIES, Pattern.TERAGEN),
          List.of("3.4.2", "3.5.0"),
          3,
          false,
          new DiskSpeed(30, 40),
          Map.of());

  @Test
  void eachGoalComparesRoundsOfOneHadoop() {
    List<Arm> arms = new ArrayList<>();
    arms.add(arm("stock", "3.4.2", Pattern.FOOTERS, 2, 27, 6));
    arms.add(arm("sequential-64K", "3.4.2", Pattern.FOOTERS, 8, 36, 16));
    arms.add(arm("columnar", "3.4.2", Pattern.FOOTERS, 2, 9, 4));
    arms.add(arm("mixed", "3.4.2", Pattern.FOOTERS, 2.2, 28, 6.6));
    arms.add(arm("sequential-64K", "3.4.2", Pattern.QUERIES, 30));
    arms.add(arm("columnar", "3.4.2", Pattern.QUERIES, 10));
    arms.add(arm("stock", "3.4.2", Pattern.QUERIES, 10));
    arms.add(arm("mixed", "3.4.2", Pattern.QUERIES, 10.4));
    arms.add(arm("file", "3.4.2", Pattern.TERAGEN, 50));
    arms.add(arm("magic", "3.4.2", Pattern.TERAGEN, 20));
    arms.add(arm("columnar", "3.5.0", Pattern.QUERIES, 1));
    List<String> measured =
        Goals.of(PLAN, arms).stream()
            .filter(goal -> goal.measured() != null)
            .map(
                goal ->
                    String.format(
                        Locale.ROOT, "%s %.2f %b", goal.id(), goal.measured(), goal.met()))
            .toList();
    assertEquals(
        List.of(
            "columnar-queries-vs-sequential-3.4.2 3.00 false",
            "columnar-footers-vs-sequential-3.4.2 4.00 true",
            "columnar-footers-vs-default-3.4.2 1.50 true",
            "mixed-footers-vs-default-3.4.2 1.10 false",
            "mixed-queries-vs-default-3.4.2 1.04 true",
            "magic-vs-file 2.50 true"),
        measured);
  }

  @Test
  void whatWasNotMeasuredIsNotMet() {
    List<Goal> goals = Goals.of(PLAN, List.of());
    assertEquals(2 * (3 + 2) + 1, goals.size());
    for (Goal goal : goals) {
      assertNull(goal.measured(), goal::id);
      assertFalse(goal.met(), goal::id);
    }
  }

  static Arm arm(String name, String hadoop, Pattern pattern, double... seconds) {
    List<Measurement> rounds = new ArrayList<>();
    for (double one : seconds) {
      rounds.add(new Measurement(one, 6_000_000, 0, 0));
    }
    return new Arm(name, hadoop, pattern, rounds);
  }
}
