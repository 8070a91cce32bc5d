// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.report.Chart.Axis;
import io.temptier.cli.report.Chart.Kind;
import io.temptier.cli.report.Chart.Series;
import io.temptier.fixtures.ReportPage;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ChartTest {
  private static final Axis ARMS = Axis.of("arm", "");
  private static final Axis SECONDS = Axis.of("time", "s");

  @Test
  void aBarHasItsMedianAndEveryRound() throws IOException {
    Series series =
        Series.of(
            "median",
            List.of("#111111", "#222222"),
            Arrays.asList(90.0, null, Double.NaN, Double.POSITIVE_INFINITY),
            List.of(List.of(80.0, 90.0, 100.123456), List.of(), List.of(), List.of()));
    ReportPage page =
        read(Chart.of(Kind.BARS, "t", ARMS, SECONDS, List.of("a", "b", "c", "d"), List.of(series)));
    JsonNode data = page.charts().get(0);
    assertEquals("BARS", data.path("kind").asText());
    assertEquals("s", data.path("y").path("unit").asText());
    assertEquals("[90.0,null,null,null]", data.path("series").path(0).path("values").toString());
    assertEquals(
        "[80.0,90.0,100.12]", data.path("series").path(0).path("rounds").path(0).toString());
    assertEquals(List.of("arm", "median, s"), page.texts("th"));
    assertEquals(
        List.of("a", "90 (80, 90, 100.12)", "b", "–", "c", "–", "d", "–"), page.texts("td"));
  }

  @Test
  void bytesAreWrittenWithTheirPrefix() throws IOException {
    Axis disk = Axis.of("disk", "bytes");
    Series series = Series.of("written", List.of(1536.0));
    ReportPage page =
        read(
            Chart.of(
                Kind.LINE, "t", disk, Axis.of("y", "bytes"), List.of(1L << 30), List.of(series)));
    assertEquals(List.of("disk", "written"), page.texts("th"));
    assertEquals(List.of("1 GiB", "1.5 KiB"), page.texts("td"));
    assertEquals(1L << 30, page.charts().get(0).path("at").path(0).asLong());
  }

  @Test
  void aLongTableIsThinnedAndSaysSo() throws IOException {
    List<Double> seconds = IntStream.range(0, 250).mapToObj(second -> (double) second).toList();
    ReportPage page =
        read(
            Chart.of(
                Kind.LINE,
                "t",
                SECONDS,
                Axis.of("load", "%"),
                seconds,
                List.of(Series.of("cores", seconds))));
    assertEquals(250, page.charts().get(0).path("at").size());
    // 84 of 250, beside the heads.
    assertEquals(85, page.texts("tr").size());
    assertTrue(page.texts("summary").get(0).contains("one point of 3"));
  }

  private static ReportPage read(Chart chart) throws IOException {
    return ReportPage.read(new Page("t").section("s", "", chart.markup()).html());
  }
}
