// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What programs, spreadsheets and people are given of the same result. */
final class ExperimentJsonTest {
  private final ExperimentPlan plan = TrialsOf.plan(TrialsOf.FITS, 2);
  private final ExperimentResult result = TrialsOf.result(plan, trials());

  private List<Trial> trials() {
    List<Trial> trials = new ArrayList<>(TrialsOf.round(plan, "fits", 1, 200, 210, 90));
    trials.add(TrialsOf.trial("fits", 2, Arm.STOCK_HDD, 220));
    trials.add(TrialsOf.trial("fits", 2, Arm.STOCK_NVME_ONLY, 5, 13, false));
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
    assertEquals("faster", goal.path("id").asText());
    assertTrue(goal.path("measured").isNull() && goal.path("met").isNull(), goal.toString());
    assertEquals(5, root.path("trials").size());
    assertEquals(2.5, hdd.path("words").asDouble());
    assertEquals(1000, root.path("plan").path("workload").path("words").asLong());
    assertEquals(7, root.path("trials").path(0).path("writtenBytes").path("hdd0").asLong());
  }

  @Test
  void csvHasALineForEachTrialAndEachDiskAndSecond() {
    List<String> trials = ExperimentCsv.trials(result.trials()).lines().toList();
    assertEquals(6, trials.size());
    assertEquals("fits,2,stock-nvme-only,FAILED,false,5.00,10.00,13,0.500,150,100", trials.get(5));
    List<String> moments = ExperimentCsv.moments(result.trials()).lines().toList();
    assertEquals(1 + 2 * 5, moments.size());
    assertEquals("fits,1,stock-hdd,1.00,0.500,0.200,100,50,hdd0,1.000,2.000,0.300", moments.get(1));
  }

  @Test
  void theReportShowsEveryArmAndLoadsNothing() throws IOException {
    String html = ExperimentReport.of(result);
    assertTrue(html.contains("210.0 s"), "the median");
    assertTrue(html.contains("1 of 2 failed"), html);
    assertTrue(html.contains("words, 1/s"), "the workload's own figure");
    assertTrue(html.contains("Skipped: mergerfs: &lt;b&gt;"), html);
    assertFalse(html.contains("<script") || html.matches("(?s).*(src|href)=.*"));
    assertFalse(html.contains("NaN") || html.contains("Infinity"), html);
  }
}
