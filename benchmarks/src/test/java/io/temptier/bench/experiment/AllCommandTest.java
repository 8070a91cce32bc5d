// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.jobs.JobWorkload;
import io.temptier.bench.jobs.TrialsOf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AllCommandTest {
  @TempDir private Path dir;

  private static List<Experiment> experiments(boolean quick) {
    return AllCommand.names(quick).stream().map(name -> Experiments.named(name, quick)).toList();
  }

  @Test
  void everyExperimentIsThereOnceAndInOrder() {
    List<String> labels = AllCommand.names(false);
    assertEquals(labels.stream().sorted().distinct().toList(), labels);
    assertTrue(
        labels.containsAll(List.of("e1", "e2", "e3", "e4", "e5", "e7", "e8")), labels::toString);
  }

  @Test
  void aQuickRunHasAllOfThemWithFewerTrials() {
    List<Experiment> quick = experiments(true);
    // Of the two nodes that Gridmix is replayed on one is enough.
    assertEquals(AllCommand.names(false).size() - 1, quick.size());
    // Of a minute and a half each, they are made in less than 40.
    long trials = quick.stream().mapToLong(AllCommandTest::trials).sum();
    assertTrue(trials <= 26, () -> "trials: " + trials);
  }

  @Test
  void gridmixIsPlannedByTheTraceThatItWrote() throws IOException {
    for (boolean quick : new boolean[] {false, true}) {
      Path folder = Files.createDirectory(dir.resolve("gridmix-" + quick));
      Experiment experiment = Experiments.named("gridmix", quick);
      assertEquals(quick ? 2 : 5, trials(experiment));
      Plan first = TrialsOf.plan(experiment, 1);
      Plan plan = TrialsOf.plan(experiment.with(first.workload().begun(first, folder)), 1);
      ResultFolder.create(folder, plan, Map.of());
      assertEquals(plan, ResultFolder.open(folder).plan());
      assertTrue(((JobWorkload) plan.workload()).inputBytes() > 0, plan::toString);
      assertTrue(Files.size(folder.resolve("trace.json.gz")) > 0, folder::toString);
    }
  }

  private static int trials(Experiment experiment) {
    return experiment.settings().size() * experiment.arms().size();
  }
}
