// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.cluster.JobResult;
import io.temptier.tier.Medium;
import io.temptier.tier.Reason;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HtmlReportTest {
  @Test
  void theReportHoldsTheKeysThatOthersReadAndOnePageNeedsNoNetwork() throws IOException {
    ObjectNode json = DemoJson.of(result());
    assertTrue(json.path("validated").isBoolean());
    assertEquals(1, json.path("failedTasks").asInt());
    assertEquals(12.5, json.path("jobSeconds").asDouble());
    assertEquals("NVME", json.path("tiers").path(0).path("medium").asText());
    assertEquals(3, json.path("tiers").path(0).path("files").asInt());
    assertEquals(300, json.path("tiers").path(0).path("bytes").asLong());
    assertEquals(2, json.path("spilledDown").path("files").asInt());
    assertEquals(50, json.path("spilledDown").path("bytes").asLong());

    String html = HtmlReport.of(json);
    assertTrue(html.contains("\"jobSeconds\":12.5"));
    assertTrue(html.contains("Chart.js v"), "Chart.js is inlined, its licence notice with it");
    assertFalse(html.contains("/*CHART_JS*/"));
    assertFalse(html.contains("REPORT_JSON"));
    assertFalse(html.contains("</script><b>"), "no value ends the script");
    assertFalse(html.matches("(?s).*(src|href)=\"(https?:)?//.*"), "nothing is loaded");
  }

  /** The tables count different files, and say which. */
  @Test
  void theTextSaysWhatItsNumbersAreOf() {
    StringWriter out = new StringWriter();
    DemoText.result(new PrintWriter(out), result());
    String text = out.toString().replaceAll("\\s+", " ");
    assertTrue(text.contains("Fewer files than above, where it is 4 in all"), text);
    assertTrue(text.contains("demotion's copies"), text);
  }

  private static DemoResult result() {
    JobResult sort =
        new JobResult(
            "terasort",
            "job_1_0001",
            0,
            15,
            12.5,
            13,
            "SUCCEEDED",
            2,
            1,
            1,
            0,
            Map.of(),
            List.of());
    return new DemoResult(
        DemoPlan.of(10, List.of(), 1000, 2, null),
        true,
        "in order",
        List.of(sort),
        sort,
        Map.of(Medium.NVME, new Tally(3, 300)),
        new Tally(2, 50),
        Map.of(
            Phase.MAP_OUTPUT,
            Map.of(Medium.NVME, new Tally(3, 300)),
            Phase.DEMOTION,
            Map.of(Medium.DISK, new Tally(1, 100))),
        Map.of(new Ledger.Refused(Medium.NVME, Reason.CAP), new Tally(2, 50)),
        List.of(new TierSample(0.5, Map.of(Medium.NVME, 300L))),
        Map.of("terasort", 0.1),
        List.of(),
        Map.of("command", "./temptier demo </script><b>"));
  }
}
