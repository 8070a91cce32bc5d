// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.demo.DemoResult.Mark;
import io.temptier.bench.demo.DemoResult.OfPhase;
import io.temptier.bench.demo.DemoResult.OfTier;
import io.temptier.bench.demo.DemoResult.Refused;
import io.temptier.bench.demo.DemoResult.Tally;
import io.temptier.bench.demo.DemoResult.TierSample;
import io.temptier.fixtures.ReportPage;
import io.temptier.lab.cluster.JobResult;
import io.temptier.tier.Medium;
import io.temptier.tier.policy.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DemoReportTest {
  @Test
  void theReportHoldsTheKeysThatOthersRead() {
    JsonNode json = new ObjectMapper().valueToTree(result());
    assertTrue(json.path("validated").isBoolean());
    assertEquals(1, json.path("failedTasks").asInt());
    assertEquals(12.5, json.path("jobSeconds").asDouble());
    assertEquals("NVME", json.path("tiers").path(0).path("medium").asText());
    assertEquals(3, json.path("tiers").path(0).path("files").asInt());
    assertEquals(300, json.path("tiers").path(0).path("bytes").asLong());
    assertEquals(2, json.path("spilledDown").path("files").asInt());
    assertEquals(50, json.path("spilledDown").path("bytes").asLong());
    assertEquals(
        "{\"rows\":10,\"inputBytes\":1000,\"nodes\":2,\"fastCapBytes\":1024}",
        json.path("plan").toString());
    assertEquals(
        "{\"phase\":\"map outputs\",\"medium\":\"NVME\",\"files\":3,\"bytes\":300}",
        json.path("phases").path(0).toString());
    assertEquals(
        "[{\"medium\":\"NVME\",\"reason\":\"CAP\",\"text\":\"the dir's cap is"
            + " reached\",\"files\":2,\"bytes\":50}]",
        json.path("refusals").toString());
    assertEquals("[{\"seconds\":0.5,\"NVME\":300}]", json.path("samples").toString());
    assertEquals("[{\"job\":\"terasort\",\"seconds\":0.1}]", json.path("marks").toString());
    List<String> names = new ArrayList<>();
    json.fieldNames().forEachRemaining(names::add);
    assertEquals(
        "validated validation failedTasks jobSeconds tiers spilledDown plan phases refusals jobs"
            + " counters samples marks facts",
        String.join(" ", names));
  }

  @Test
  void thePageShowsWhereTheBytesWent() throws IOException {
    ReportPage page = ReportPage.read(new DemoReport(result()).page().html());
    assertEquals(List.of("output validated"), page.ofClass("badge good"));
    JsonNode time = page.charts().get(0);
    assertEquals("[0.5]", time.path("at").toString());
    assertEquals(
        List.of("NVME", "DISK"), time.path("series").findValuesAsText("name"), time::toString);
    assertEquals(300, time.path("series").path(0).path("values").path(0).asLong());
    assertEquals(
        List.of("terasort", "cap of the fast tier: 1 KiB"),
        time.path("marks").findValuesAsText("text"));
    JsonNode phases = page.charts().get(1);
    assertEquals("[\"map outputs\",\"indexes\"]", phases.path("at").toString());
    assertEquals("[0.0,100.0]", phases.path("series").path(1).path("values").toString());
    assertTrue(
        page.texts("td").containsAll(List.of("300 B in 3", Reason.CAP.text(), "12.5", "301 B")));
    assertEquals(List.of("./temptier demo </script><b>"), page.texts("code"));
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
        true,
        "in order",
        1,
        sort.jobSeconds(),
        List.of(new OfTier(Medium.NVME, new Tally(3, 300))),
        new Tally(2, 50),
        DemoPlan.of(10, 2, "1k"),
        List.of(
            new OfPhase("map outputs", Medium.NVME, new Tally(3, 300)),
            new OfPhase("indexes", Medium.DISK, new Tally(1, 100))),
        List.of(new Refused(Medium.NVME, Reason.CAP, Reason.CAP.text(), new Tally(2, 50))),
        List.of(sort),
        Map.of("NVME_BYTES", 301L),
        List.of(new TierSample(0.5, Map.of(Medium.NVME, 300L))),
        List.of(new Mark("terasort", 0.1)),
        Map.of("command", "./temptier demo </script><b>"));
  }
}
