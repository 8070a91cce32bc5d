// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.dfsio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.jobs.Experiment;
import io.temptier.bench.jobs.JobPlan;
import io.temptier.bench.jobs.TrialsOf;
import io.temptier.bench.report.Goal;
import io.temptier.bench.terasort.TeraSort;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class DfsIoGoalsTest {
  private final DfsFiles files = new DfsFiles(2, 32);

  @Test
  void besideASortRatesAreCompared() {
    Map<String, Goal> goals =
        goals(
            DfsIoCommand.besideSort(files, TeraSort.tiny()),
            trial("two queues", Arm.STOCK_HDD, Map.of(DfsIoBesideSort.WRITE_BESIDE, 4.0)),
            trial(
                "two queues",
                Arm.TEMPTIER,
                Map.of(DfsIoBesideSort.WRITE_BESIDE, 6.0, DfsIoBesideSort.READ_BESIDE, 9.0)));
    Goal write = goal(goals, "e5-write");
    assertEquals(1.5, write.measured());
    assertTrue(write.met());
    // The stock sort ended before the files were read.
    assertNull(goal(goals, "e5-read").measured());
  }

  @Test
  void aloneItMustNotBeSlower() {
    Map<String, Goal> goals =
        goals(
            DfsIoCommand.alone(files),
            TrialsOf.trial("3 HDDs", 1, Arm.STOCK_HDD, 40),
            TrialsOf.trial("3 HDDs", 1, Arm.TEMPTIER, 41));
    assertEquals(41.0 / 40, goal(goals, "dfsio-vs-hdd").measured());
    assertTrue(!goal(goals, "dfsio-vs-hdd").met());
    assertTrue(goal(goals, "dfsio-failed-tasks").met());
  }

  private static Trial trial(String setting, Arm arm, Map<String, Double> figures) {
    return TrialsOf.trial(setting, 1, arm, 10, figures);
  }

  private static Map<String, Goal> goals(Experiment experiment, Trial... trials) {
    JobPlan plan = TrialsOf.plan(experiment, 1);
    return TrialsOf.result(plan, List.of(trials)).goals().stream()
        .collect(Collectors.toMap(Goal::id, Function.identity()));
  }

  private static Goal goal(Map<String, Goal> goals, String id) {
    return Objects.requireNonNull(goals.get(id), id);
  }
}
