// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.bench.jobs.TrialsOf;
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
    for (String name : List.of("e1", "e2")) {
      Experiment experiment = Experiments.named(name, true);
      List<Trial> trials = new ArrayList<>();
      for (Setting setting : experiment.settings()) {
        for (Arm arm : TrialsOf.plan(experiment, 1).experiment().arms()) {
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
    assertEquals(1 + 4 + 3, csv.size());
    assertTrue(csv.get(7).startsWith("e2,1/2,1,temptier,"), csv.get(7));
    JsonNode json = all.json();
    assertEquals(2, json.path("experiments").size());
    assertEquals("e1-vs-hdd", json.path("goals").path(0).path("id").asText());
    assertEquals("no <memory>", json.path("failed").path("e3").asText());
  }
}
