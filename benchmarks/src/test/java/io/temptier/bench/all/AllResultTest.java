// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.all;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Chapter;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.experiment.TrialsOf;
import io.temptier.bench.terasort.TeraSort;
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
    for (Chapter chapter : AllCommand.chapters(TeraSort.tiny(), true).subList(0, 2)) {
      List<Trial> trials = new ArrayList<>();
      for (Setting setting : chapter.experiment().settings()) {
        for (Arm arm : chapter.experiment().arms()) {
          trials.add(TrialsOf.trial(setting.name(), 1, arm, arm.tiered() ? 20 : 30));
        }
      }
      var plan = TrialsOf.plan(chapter.experiment(), chapter.workload(), 1);
      all.add(TrialsOf.result(plan, trials));
    }
    all.failed("e3", "no <memory>");
    String html = Files.readString(all.publish(dir));
    assertTrue(html.contains("<h1>E1: "), html);
    assertTrue(html.contains("<h1>E2: "), html);
    assertTrue(html.contains("Could not be run: e3: no &lt;memory&gt;"), html);
    assertTrue(html.indexOf("e1-") < 0 && html.indexOf("0.48x") < html.indexOf("<h1>E1: "));
    assertFalse(html.contains("<script") || html.matches("(?s).*(src|href)=.*"));
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
