// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PageTest {
  @Test
  void textIsNoMarkupAndNothingIsLoaded() throws IOException {
    String evil = "<script>alert(1)</script>\"&";
    String html =
        new Page(evil)
            .head(evil, false, evil)
            .tiles(Map.of(evil, evil))
            .note(evil)
            .section(
                evil, evil, Page.table(List.of("A" + evil, ">n"), List.of(List.of(evil, evil))))
            .section("chart", "", new BarChart("s").bar(evil, null, evil, "#fff").markup())
            .section("lines", "", new LineChart(evil, 1, 1).markup())
            .facts(Map.of("command", evil, "x", evil))
            .html();
    assertFalse(html.contains("<script"), html);
    assertFalse(html.matches("(?s).*(src|href)=.*"), "something is loaded");
    assertTrue(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;"), html);
  }

  @Test
  void cellsAreColouredByTheirFirstSign() {
    String table = Page.table(List.of("a", "b", ">c"), List.of(List.of("+met", "-missed", "5")));
    assertTrue(table.contains("<td class=\"good w\">met</td>"), table);
    assertTrue(table.contains("<td class=\"bad w\">missed</td>"), table);
    assertTrue(table.contains("<td class=\"n\">5</td>"), table);
  }

  @Test
  void aBarShowsItsMedianAndEveryRound() {
    String svg =
        new BarChart("s").bar("arm", new Sample(List.of(80.0, 100.0, 90.0)), "", "#123").markup();
    assertEquals(3, svg.split("<circle", -1).length - 1);
    // 90 of 100 on an axis of 660.
    assertTrue(svg.contains("width=\"594.0\""), svg);
  }

  @Test
  void aLineGoesThroughItsPoints() {
    String svg =
        new LineChart("t", 10, 100)
            .line("#123", List.of(new LineChart.Point(0, 0), new LineChart.Point(10, 100)))
            .markup();
    assertTrue(svg.contains("points=\"38.0,148.0 332.0,22.0\""), svg);
  }
}
