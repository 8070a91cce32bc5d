// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.tez;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ResultFolder;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.jobs.JobPlan;
import io.temptier.bench.jobs.TrialsOf;
import io.temptier.bench.report.Goal;
import io.temptier.cli.main.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Help.Ansi;

final class TezCommandTest {
  private final JobPlan plan = TrialsOf.plan(TezCommand.experiment(new TezRows(1000)), 1);

  @TempDir private Path dir;

  @Test
  void goalsAreRatiosWithinASetting() {
    List<Trial> trials =
        Stream.concat(
                // hdd, mixed, nvme, temptier, ideal
                TrialsOf.round(plan, "fits", 1, 100, 70, 51, 52, 50).stream(),
                Stream.of(
                    TrialsOf.trial("1/2", 1, Arm.STOCK_MIXED, 100),
                    TrialsOf.trial("1/2", 1, Arm.STOCK_NVME_ONLY, 9, 4, false),
                    TrialsOf.trial("1/2", 1, Arm.TEMPTIER, 80)))
            .toList();
    Map<String, Goal> goals =
        TrialsOf.result(plan, trials).goals().stream()
            .collect(Collectors.toMap(Goal::id, Function.identity()));
    expect(goals, "e10-vs-hdd", 0.52, true);
    expect(goals, "e10-vs-ideal", 1.04, false);
    expect(goals, "e10-vs-mixed", 0.8, true);
    expect(goals, "e10-failed-tasks", 0, true);
    assertEquals(4, goals.size());
  }

  private static void expect(Map<String, Goal> goals, String id, double measured, boolean met) {
    Goal goal = Objects.requireNonNull(goals.get(id), id);
    assertEquals(measured, Objects.requireNonNull(goal.measured(), id), 1e-9, id);
    assertEquals(met, goal.met(), id);
  }

  @Test
  void thePlanIsReadAsItWasWritten() throws IOException {
    ResultFolder.create(dir, plan, Map.of());
    assertEquals(plan, ResultFolder.open(dir).plan());
  }

  @Test
  void rowsMustBeSomeAndTheClusterOurs() {
    assertFalse(new TezRows(1).anyCluster());
    StringWriter err = new StringWriter();
    PrintWriter out = new PrintWriter(new StringWriter());
    int code = Main.run(out, new PrintWriter(err), Ansi.OFF, "bench", "tez", "--rows=0");
    assertEquals(2, code);
    assertTrue(err.toString().contains("--rows=0 is less than 1"), err.toString());
  }
}
