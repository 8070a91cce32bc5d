// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.report.MachineFacts;
import io.temptier.fixtures.ReportPage;
import io.temptier.tier.Medium;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ProbeReportTest {
  private static final ProbedDir NVME = TierOrderTest.dir("/nvme", Medium.NVME, 80, 120, true);
  private static final ProbedDir HDD =
      TierOrderTest.dir("/a/mount/with/a/long/name/hdd", Medium.DISK, 9_000, 30_000, true);

  @Test
  void eachDirHasItsCurveAndItsBars() throws IOException {
    ReportPage page = page(Map.of("command", "x"), HDD, NVME);
    JsonNode latency = page.charts().get(0);
    assertTrue(latency.path("y").path("log").asBoolean(), latency::toString);
    assertEquals("/nvme", latency.path("series").path(0).path("name").asText());
    assertEquals(120, latency.path("series").path(0).path("values").path(2).asDouble());
    JsonNode bars = page.charts().get(1);
    assertEquals(HDD.path().toString(), bars.path("at").path(1).asText());
    assertEquals(List.of("tags and disks agree"), page.ofClass("badge good"));
  }

  @Test
  void onABusyMachineNothingIsGreen() throws IOException {
    ReportPage page =
        page(Map.of("cores", "2", MachineFacts.LOAD_BEFORE, "1.60 0.80 0.40"), NVME, HDD);
    assertEquals(
        List.of("tags and disks agree · machine was busy"), page.ofClass("badge doubtful"));
  }

  @Test
  void aTagThatIsDoubtedIsNoted() throws IOException {
    ReportPage page = page(Map.of(), TierOrderTest.dir("/worn", Medium.NVME, 25_000, 50_000, true));
    assertEquals(List.of("1 warning"), page.ofClass("badge bad"));
    assertTrue(page.ofClass("note").toString().contains("tag it [DISK]"));
  }

  @Test
  void aDirWithoutDirectIoIsNoted() throws IOException {
    ReportPage page = page(Map.of(), TierOrderTest.dir("/mem", Medium.RAM_DISK, 0, 1, false));
    assertEquals(List.of("tags and disks agree · cached"), page.ofClass("badge doubtful"));
    assertTrue(page.ofClass("note").toString().contains("knows no direct I/O"));
    // A logarithmic axis knows no zero.
    JsonNode first = page.charts().get(0).path("series").path(0).path("values").path(0);
    assertEquals(0.1, first.asDouble());
  }

  private static ReportPage page(Map<String, String> facts, ProbedDir... dirs) throws IOException {
    return ReportPage.read(ProbeReport.of(TierOrder.of(List.of(dirs)), facts).html());
  }
}
