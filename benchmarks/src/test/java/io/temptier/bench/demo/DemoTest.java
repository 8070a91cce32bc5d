// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.demo.DemoResult.Mark;
import io.temptier.bench.demo.DemoResult.Moved;
import io.temptier.bench.demo.DemoResult.OfPhase;
import io.temptier.bench.demo.DemoResult.OfTier;
import io.temptier.bench.demo.DemoResult.Refused;
import io.temptier.bench.demo.DemoResult.Tally;
import io.temptier.bench.demo.DemoResult.TierSample;
import io.temptier.bench.report.PageTest.ReportPage;
import io.temptier.bench.workload.TrialsOf;
import io.temptier.fixtures.Texts;
import io.temptier.lab.cluster.JobResult;
import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.journal.PlacementRecord;
import io.temptier.tier.journal.PlacementRecord.Event;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The plan of the demo, what it makes of placements, and its report. */
final class DemoTest {
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
        "validated validation failedTasks jobSeconds tiers spilledDown plan phases refusals moved"
            + " fetched jobs counters samples marks facts",
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
        page.texts("td")
            .containsAll(
                List.of(
                    "300 B in 3",
                    Reason.CAP.text(),
                    "full, to DISK",
                    "1.0 to 2.5 s",
                    "94%",
                    "301 B")));
    assertEquals(List.of("./temptier demo </script><b>"), page.texts("code"));
  }

  private static DemoResult result() {
    JobResult sort = TrialsOf.job("SUCCEEDED", 12.5, 1, Map.of(), List.of());
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
        List.of(new Moved(Medium.NVME, Medium.DISK, "full", 1, 2.5, new Tally(2, 70))),
        List.of(
            new OfTier(Medium.DISK, new Tally(4, 66)), new OfTier(Medium.NVME, new Tally(1, 4))),
        List.of(sort),
        Map.of("NVME_BYTES", 301L),
        List.of(new TierSample(0.5, Map.of(Medium.NVME, 300L))),
        List.of(new Mark("terasort", 0.1)),
        Map.of("command", "./temptier demo </script><b>"));
  }

  private static final long BYTES = 500_000_000;

  @Test
  void theDefaultCapHoldsHalfOfTheTemporaryData() {
    DemoPlan plan = plan(null);
    assertEquals(plan.tempBytes() / 2, plan.fastCapBytes());
    assertEquals(
        "[NVME:" + ((plan.tempBytes() / 4) >> 20) + "m]", plan.fastTag(), "two nodes share it");
  }

  @Test
  void capsMayBeZeroASizeOrUnlimited() {
    assertEquals("[NVME:0]", plan("0").fastTag());
    assertEquals("[NVME:128m]", plan("256m").fastTag(), "two nodes share it");
    assertEquals("[NVME]", plan("unlimited").fastTag());
    assertNull(plan("Unlimited").fastCapBytes());
    assertThrows(IllegalArgumentException.class, () -> plan("much"));
  }

  @Test
  void tooSmallADiskIsNamedWithWhatIsNeeded() {
    DemoPlan plan = plan(null);
    assertTrue(plan.tooLittle(plan.needBytes(), Path.of("/w")).isEmpty());
    String text = plan.tooLittle(1 << 20, Path.of("/w")).orElseThrow();
    Texts.has(text, "/w has 1 MiB left", "--rows");
  }

  private static DemoPlan plan(@org.jspecify.annotations.Nullable String cap) {
    return DemoPlan.of(BYTES / 100, 2, cap);
  }

  private static final String APP = "application_1_0001";

  private final List<PlacementRecord> records = new ArrayList<>();

  @Test
  void settledFilesCountByTheirRealSizeAndByWhatTheyAreFor() {
    records.add(record(Event.PLACED, "output/a_spill_0.out", 100, Medium.NVME, APP));
    records.add(record(Event.SETTLED, "output/a_spill_0.out", 90, Medium.NVME, APP));
    records.add(record(Event.SETTLED, "output/b_spill_0.out", 5, Medium.DISK, APP));
    records.add(
        record(Event.SETTLED, "output/c_spill_0.out", 7, Medium.DISK, "application_1_0002"));
    records.add(record(Event.SETTLED, "output/attempt_1_1_m_0_0/file.out", 9, Medium.DISK, APP));
    records.add(
        record(Event.SETTLED, "output/attempt_1_1_m_0_0/intermediate.1", 1, Medium.DISK, APP));
    records.add(
        record(Event.SETTLED, "output/attempt_1_1_r_0_0/map_3.out.merged", 2, Medium.DISK, APP));
    records.add(record(Event.SETTLED, "output/attempt_1_1_r_0_0/map_3.out", 3, Medium.DISK, APP));
    records.add(record(Event.SETTLED, "container_1_1_1_1/job.xml", 8, Medium.NVME, APP));
    assertEquals(
        List.of(
            new OfPhase("map spills", Medium.NVME, new Tally(1, 90)),
            new OfPhase("map spills", Medium.DISK, new Tally(1, 5)),
            new OfPhase("map merges", Medium.DISK, new Tally(1, 1)),
            new OfPhase("map outputs", Medium.DISK, new Tally(1, 9)),
            new OfPhase("reduce segments", Medium.DISK, new Tally(1, 3)),
            new OfPhase("reduce merges", Medium.DISK, new Tally(1, 2))),
        new JournalSummary(records, APP).phases());
  }

  @Test
  void refusalsAreCountedByTierAndReasonWithTheRealSizesOfTheFiles() {
    records.add(refused(Event.PLACED, "a_spill_0.out", 10, true));
    records.add(refused(Event.SETTLED, "a_spill_0.out", 9, true));
    records.add(refused(Event.PLACED, "b_spill_0.out", 20, true));
    records.add(refused(Event.PLACED, "container_1", 64, false));
    assertEquals(
        List.of(new Refused(Medium.NVME, Reason.CAP, Reason.CAP.text(), new Tally(3, 29))),
        new JournalSummary(records, APP).refusals());
  }

  @Test
  void whatWasMovedIsToldWithItsTimeAndCause() {
    records.add(refused(Event.DEMOTED, "file.out", 10, true));
    records.add(refused(Event.DEMOTED, "file.out", 20, true));
    String why = "moved down later: above temptier.demotion.high";
    assertEquals(
        List.of(new Moved(Medium.NVME, Medium.DISK, why, -1, -1, new Tally(2, 30))),
        new JournalSummary(records, APP).moved(1001));
  }

  private static PlacementRecord record(
      Event event, String path, long bytes, Medium medium, String application) {
    return record(event, path, bytes, true, application, medium, List.of());
  }

  private static PlacementRecord refused(Event event, String path, long bytes, boolean known) {
    List<Placement.Refusal> by = List.of(Placement.Refusal.of(Medium.NVME, Reason.CAP, 3));
    return record(event, path, bytes, known, APP, Medium.DISK, by);
  }

  private static PlacementRecord record(
      Event event,
      String path,
      long bytes,
      boolean known,
      String application,
      Medium medium,
      List<Placement.Refusal> by) {
    Reason why = by.isEmpty() ? Reason.FASTEST : Reason.CAP;
    FileKind kind = FileKind.of(path);
    return PlacementRecord.of(
        1,
        1,
        event,
        PlacementRequest.of(path, kind, bytes, known, application, 0),
        Placement.of(LocalDir.of(Path.of("/d"), medium, LocalDir.NO_CAP, ""), why, by),
        bytes);
  }
}
