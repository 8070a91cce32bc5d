// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.bench.workload.TrialsOf;
import io.temptier.fixtures.Texts;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What programs and people are given of the same result. */
final class ExperimentJsonTest {
  private final Plan plan = TrialsOf.plan(TrialsOf.FITS, 2);
  private final ExperimentResult result = TrialsOf.result(plan, trials());

  private List<Trial> trials() {
    List<Trial> trials = new ArrayList<>(TrialsOf.round(plan, "fits", 1, 200, 210, 90));
    trials.add(TrialsOf.trial("fits", 2, TrialsOf.STOCK_HDD, 220));
    trials.add(TrialsOf.trial("fits", 2, TrialsOf.STOCK_NVME_ONLY, 5, 13, false));
    return trials;
  }

  @Test
  void armsHaveTheirSecondsAndFailures() {
    JsonNode root = ExperimentJson.of(result);
    JsonNode hdd = root.path("arms").path(0);
    assertEquals("stock-hdd", hdd.path("name").asText());
    assertEquals("[200.0,220.0]", hdd.path("seconds").toString());
    assertEquals(210, hdd.path("medianSeconds").asDouble());
    assertEquals(0, hdd.path("failedTasks").asInt());
    assertTrue(hdd.path("validated").asBoolean());
    JsonNode nvme = root.path("arms").path(2);
    assertEquals("[90.0]", nvme.path("seconds").toString());
    assertEquals(13, nvme.path("failedTasks").asInt());
    assertEquals(1, nvme.path("failedJobs").asInt());
    assertFalse(nvme.path("validated").asBoolean());
    assertEquals(150, nvme.path("peakTempBytes").asLong());
    JsonNode goal = root.path("goals").path(0);
    assertEquals("e1-vs-hdd", goal.path("id").asText());
    assertTrue(goal.path("measured").isNull() && goal.path("met").isNull(), goal.toString());
    assertEquals(5, root.path("trials").size());
    assertEquals(2.5, hdd.path("words").asDouble());
    assertEquals(1000, root.path("plan").path("workload").path("words").asLong());
    assertEquals(7, root.path("trials").path(0).path("writtenBytes").path("hdd0").asLong());
  }

  @Test
  void theTableOfArmsFits80Columns() {
    StringWriter text = new StringWriter();
    ExperimentReport.print(result, new PrintWriter(text));
    Texts.has(text.toString(), "stock-hdd", "1 of 2", "words, 1/s", "not measured");
    List<String> arms = text.toString().lines().takeWhile(line -> !line.isEmpty()).toList();
    assertTrue(arms.stream().allMatch(line -> line.length() <= 80), text::toString);
  }
}
