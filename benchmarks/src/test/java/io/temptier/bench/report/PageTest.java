// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.bench.report.Chart.Kind;
import io.temptier.bench.report.Chart.Mark;
import io.temptier.bench.report.Chart.Series;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PageTest {
  private static final String EVIL = "</script><script>alert(1)</script><!--\"'&";

  @Test
  void textIsNoMarkup() throws IOException {
    Chart chart =
        new Chart(
            Kind.AREA,
            EVIL,
            EVIL,
            EVIL,
            List.of(EVIL),
            List.of(new Series(EVIL, List.of(1L))),
            List.of(new Mark(true, 0, EVIL)));
    String html =
        new Page(EVIL)
            .head(EVIL, EVIL, false, EVIL)
            .tiles(Map.of(EVIL, EVIL))
            .note(EVIL)
            .section(
                EVIL, EVIL, Page.table(List.of(List.of(EVIL, ">" + EVIL), List.of(EVIL, EVIL))))
            .section("chart", "", chart.markup())
            .facts(Map.of("command", EVIL, "x", EVIL))
            .html();
    assertFalse(html.contains("<script>alert"), "it would run");
    ReportPage page = ReportPage.read(html);
    assertEquals(List.of(EVIL), page.texts("title"));
    assertEquals(List.of(EVIL), page.texts("h1"));
    assertEquals(List.of(EVIL), page.ofClass("badge bad"));
    assertEquals(List.of(EVIL), page.texts("code"));
    JsonNode data = page.charts().get(0);
    assertEquals(EVIL, data.path("at").path(0).asText());
    assertEquals(EVIL, data.path("marks").path(0).path("text").asText());
  }

  @Test
  void bytesAreWrittenWithTheirPrefix() throws IOException {
    Series series = new Series("NVME", List.of(1536L));
    Chart chart = new Chart(Kind.AREA, "t", "s", "bytes", List.of(0.5), List.of(series), List.of());
    ReportPage page = ReportPage.read(new Page("t").section("s", "", chart.markup()).html());
    assertEquals(List.of("s", "NVME"), page.texts("th"));
    assertEquals(List.of("0.5", "1.5 KiB"), page.texts("td"));
  }
}
