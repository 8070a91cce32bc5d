// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.all;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.experiment.ResultFolder;
import io.temptier.bench.gridmix.GridmixCommand;
import io.temptier.bench.jobs.Experiment;
import io.temptier.bench.jobs.TrialsOf;
import io.temptier.bench.node.NodeProfile;
import io.temptier.bench.terasort.TeraSort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AllCommandTest {
  @TempDir private Path dir;

  @Test
  void everyExperimentIsThereOnceAndInOrder() {
    List<String> labels =
        AllCommand.experiments(TeraSort.tiny(), false).stream().map(Experiment::label).toList();
    assertEquals(labels.stream().sorted().distinct().toList(), labels);
    assertTrue(
        labels.containsAll(List.of("e1", "e2", "e3", "e4", "e5", "e7", "e8")), labels::toString);
  }

  @Test
  void aQuickRunHasAllOfThemWithFewerTrials() {
    List<Experiment> quick = AllCommand.experiments(TeraSort.tiny(), true);
    assertEquals(AllCommand.experiments(TeraSort.tiny(), false).size(), quick.size());
    // Of a minute and a half each, they are made in less than 40.
    long trials = quick.stream().mapToLong(AllCommandTest::trials).sum();
    assertTrue(trials <= 24, () -> "trials: " + trials);
  }

  @Test
  void everyPlanIsReadAsItWasWritten() throws IOException {
    for (boolean quick : new boolean[] {false, true}) {
      for (Experiment experiment : AllCommand.experiments(TeraSort.tiny(), quick)) {
        Path folder = dir.resolve(quick + experiment.label());
        var plan = TrialsOf.plan(experiment, 1);
        ResultFolder.create(folder, plan, Map.of());
        assertEquals(plan, ResultFolder.open(folder).plan());
      }
    }
    assertEquals(
        2 * AllCommand.experiments(TeraSort.tiny(), true).size(), ResultFolder.within(dir).size());
  }

  @Test
  void gridmixIsPlannedByTheTraceThatItWrote() throws IOException {
    for (boolean quick : new boolean[] {false, true}) {
      Path folder = dir.resolve("gridmix-" + quick);
      Experiment experiment = GridmixCommand.experiment(NodeProfile.TWITTER_LIKE, folder, quick);
      assertTrue(experiment.workload().inputBytes() > 0, experiment::toString);
      assertEquals(quick ? 2 : 5, trials(experiment));
      var plan = TrialsOf.plan(experiment, 1);
      ResultFolder.create(folder, plan, Map.of());
      assertEquals(plan, ResultFolder.open(folder).plan());
      assertTrue(Files.size(folder.resolve("trace.json.gz")) > 0, folder::toString);
    }
  }

  private static int trials(Experiment experiment) {
    return experiment.settings().size() * experiment.arms().size();
  }
}
