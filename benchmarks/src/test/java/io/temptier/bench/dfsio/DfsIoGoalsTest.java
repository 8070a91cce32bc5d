// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.dfsio;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.jobs.TrialsOf;
import io.temptier.bench.terasort.TeraSort;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DfsIoGoalsTest {
  private final DfsFiles files = new DfsFiles(2, 32);

  @Test
  void besideASortRatesAreCompared() {
    Map<String, Double> ours =
        Map.of(DfsIoBesideSort.WRITE_BESIDE, 6.0, DfsIoBesideSort.READ_BESIDE, 9.0);
    // The stock sort ended before the files were read.
    TrialsOf.expectGoals(
        TrialsOf.plan(DfsIoCommand.besideSort(files, TeraSort.tiny()), 1),
        List.of(
            TrialsOf.trial(
                "two queues", 1, Arm.STOCK_HDD, 10, Map.of(DfsIoBesideSort.WRITE_BESIDE, 4.0)),
            TrialsOf.trial("two queues", 1, Arm.TEMPTIER, 10, ours)),
        "e5-write 1.500 true",
        "e5-read -");
  }

  @Test
  void aloneItMustNotBeSlower() {
    TrialsOf.expectGoals(
        TrialsOf.plan(DfsIoCommand.alone(files), 1),
        List.of(
            TrialsOf.trial("3 HDDs", 1, Arm.STOCK_HDD, 40),
            TrialsOf.trial("3 HDDs", 1, Arm.TEMPTIER, 41)),
        "dfsio-vs-hdd 1.025 false",
        "dfsio-failed-tasks 0.000 true");
  }
}
