// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.bench.report.MachineFacts;
import io.temptier.bench.report.ReportPage;
import io.temptier.bench.workload.TrialsOf;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What programs, spreadsheets and people are given of the same result. */
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
  void theTableOfATerminalFits80Columns() {
    StringWriter text = new StringWriter();
    ExperimentReport.armTable(result, result.arms()).print(new PrintWriter(text));
    assertTrue(text.toString().contains("stock-hdd"), text.toString());
    assertTrue(text.toString().lines().allMatch(line -> line.length() <= 80), text.toString());
  }

  @Test
  void theReportShowsEveryArm() throws IOException {
    String html = ExperimentReport.of(result);
    ReportPage page = ReportPage.read(html);
    JsonNode bars = page.charts().get(0);
    assertEquals("stock-hdd", bars.path("at").path(0).asText());
    JsonNode medians = bars.path("series").path(0);
    assertEquals(210, medians.path("values").path(0).asDouble());
    assertEquals("[200.0,220.0]", medians.path("rounds").path(0).toString());
    assertEquals(TrialsOf.STOCK_HDD.colour(), medians.path("colours").path(0).asText());
    // Three for each arm, all on the same axes.
    assertEquals(1 + 3 * 3, page.charts().size());
    assertEquals(
        "[210.0,210.0,90.0]", medians.path("values").toString(), "arms in the order of the plan");
    for (JsonNode chart : page.charts().subList(1, 10)) {
      assertEquals(1, chart.path("x").path("max").asDouble(), chart::toString);
    }
    assertTrue(page.texts("td").contains("✗ 1 of 2"));
    assertTrue(page.texts("th").contains("words, 1/s"), "the workload's own figure");
    assertTrue(page.ofClass("note").contains("Skipped: mergerfs: <b>"));
  }

  @Test
  void theVerdictIsAmberWhereTheMachineWasBusy() throws IOException {
    var busy =
        new ExperimentResult(
            plan, trials(), Map.of("cores", "2", MachineFacts.LOAD_BEFORE, "6.00 5.00 4.00"));
    List<String> badges = ReportPage.read(ExperimentReport.of(busy)).ofClass("badge doubtful");
    assertTrue(badges.toString().contains("machine was busy"), badges::toString);
  }
}
