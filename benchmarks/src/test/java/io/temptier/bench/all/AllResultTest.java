// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.all;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.jobs.Experiment;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.jobs.TrialsOf;
import io.temptier.bench.terasort.TeraSort;
import io.temptier.fixtures.ReportPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AllResultTest {
  @TempDir private Path dir;

  @Test
  void onePageHasEveryChapterAndWhatWasNotRun() throws IOException {
    AllResult all = new AllResult();
    for (Experiment experiment : AllCommand.experiments(TeraSort.tiny(), true).subList(0, 2)) {
      List<Trial> trials = new ArrayList<>();
      for (NodeSetting setting : experiment.settings()) {
        for (Arm arm : experiment.arms()) {
          trials.add(TrialsOf.trial(setting.name(), 1, arm, arm.tiered() ? 20 : 30));
        }
      }
      var plan = TrialsOf.plan(experiment, 1);
      all.add(TrialsOf.result(plan, trials));
    }
    all.failed("e3", "no <memory>");
    ReportPage page = ReportPage.read(Files.readString(all.publish(dir)));
    List<String> chapters = page.texts("h1");
    assertEquals(3, chapters.size());
    assertTrue(chapters.get(1).startsWith("E1: "), chapters::toString);
    assertTrue(chapters.get(2).startsWith("E2: "), chapters::toString);
    assertTrue(page.ofClass("note").contains("Could not be run: e3: no <memory>"));
    assertTrue(page.texts("td").contains("0.667 x"), "a goal's figure");
    assertTrue(page.ofClass("badge bad").size() > 0, "not all was run");
    List<String> csv = Files.readAllLines(dir.resolve("trials.csv"));
    assertTrue(csv.get(0).startsWith("experiment,setting,round,arm,"), csv.get(0));
    assertEquals(1 + 4 + 4, csv.size());
    assertTrue(csv.get(8).startsWith("e2,1/2,1,temptier,"), csv.get(8));
    JsonNode json = all.json();
    assertEquals(2, json.path("experiments").size());
    assertEquals("e1-vs-hdd", json.path("goals").path(0).path("id").asText());
    assertEquals("no <memory>", json.path("failed").path("e3").asText());
  }
}
