// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.jobs.Experiment;
import io.temptier.bench.jobs.TrialsOf;
import io.temptier.bench.report.Goal;
import io.temptier.cli.main.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

final class SparkCommandTest {
  @Test
  void noRowsAreRefused() {
    StringWriter err = new StringWriter();
    PrintWriter out = new PrintWriter(new StringWriter());
    assertEquals(2, Main.run(out, new PrintWriter(err), Ansi.OFF, "bench", "spark", "--rows=0"));
    assertTrue(err.toString().contains("--rows=0 is less than 1"), err.toString());
  }

  @Test
  void eachSettingIsHeldAgainstItsArms() {
    Experiment experiment = SparkCommand.experiment(6_000_000, false);
    Map<String, Goal> goals =
        TrialsOf.result(
                TrialsOf.plan(experiment, 1),
                List.of(
                    TrialsOf.trial("fits", 1, Arm.STOCK_HDD, 100),
                    TrialsOf.trial("fits", 1, Arm.STOCK_MIXED, 80),
                    TrialsOf.trial("fits", 1, Arm.TEMPTIER, 40),
                    TrialsOf.trial("fits", 1, Arm.IDEAL, 39),
                    TrialsOf.trial("1/2", 1, Arm.STOCK_MIXED, 80),
                    TrialsOf.trial("1/2", 1, Arm.TEMPTIER, 56)))
            .goals()
            .stream()
            .collect(Collectors.toMap(Goal::id, Function.identity()));
    assertTrue(met(goals, "e9-vs-hdd"));
    assertTrue(met(goals, "e9-vs-mixed"));
    assertFalse(met(goals, "e9-vs-ideal"));
    assertTrue(met(goals, "e9-half-vs-mixed"));
    assertTrue(met(goals, "e9-failed-tasks"));
  }

  private static boolean met(Map<String, Goal> goals, String id) {
    Goal goal = goals.get(id);
    return goal != null && goal.met();
  }
}
