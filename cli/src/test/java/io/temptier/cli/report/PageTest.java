// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.report.Chart.Axis;
import io.temptier.cli.report.Chart.Kind;
import io.temptier.cli.report.Chart.Mark;
import io.temptier.cli.report.Chart.Series;
import io.temptier.cli.report.Page.Badge;
import io.temptier.fixtures.ReportPage;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class PageTest {
  private static final String EVIL = "</script><script>alert(1)</script><!--\"'&";

  @Test
  void textIsNoMarkup() throws IOException {
    Chart chart =
        Chart.of(
            Kind.LINE,
            EVIL,
            Axis.of(EVIL, EVIL),
            Axis.of(EVIL, ""),
            List.of(EVIL),
            List.of(Series.of(EVIL, List.of(EVIL), List.of(1.0), List.of())),
            List.of(Mark.of(true, 0, EVIL)));
    String html =
        new Page(EVIL)
            .head(EVIL, Badge.of(EVIL, false, List.of(EVIL)), EVIL)
            .tiles(Map.of(EVIL, EVIL))
            .note(EVIL)
            .section(
                EVIL, EVIL, Page.table(List.of(EVIL, ">" + EVIL), List.of(List.of(EVIL, EVIL))))
            .section("chart", "", chart.markup())
            .facts(Map.of("command", EVIL, "x", EVIL))
            .html();
    assertFalse(html.contains("<script>alert"), "it would run");
    ReportPage page = ReportPage.read(html);
    assertEquals(List.of(EVIL), page.texts("title"));
    assertEquals(List.of(EVIL), page.texts("h1"));
    assertEquals(List.of(EVIL), page.texts("code"));
    JsonNode data = page.charts().get(0);
    assertEquals(EVIL, data.path("at").path(0).asText());
    assertEquals(EVIL, data.path("marks").path(0).path("text").asText());
  }

  @Test
  void noLineBreaksWithinATime() throws IOException {
    Page page = new Page("t").head("h", Badge.of("b", true, List.of()), "2026-01-31 22:05 & on");
    ReportPage read = ReportPage.read(page.html());
    assertEquals(List.of("2026-01-31 22:05"), read.texts("time"));
    assertTrue(read.texts("noscript").toString().contains("tables below"), "without scripts");
  }

  @Test
  void cellsAreColouredByTheirFirstSign() {
    String table =
        Page.table(
            List.of("a", "b", ">c"), List.of(List.of(Page.GOOD + "met", Page.BAD + "no", "-5")));
    assertTrue(table.contains("<td class=\"good\">✓ met</td>"), table);
    assertTrue(table.contains("<td class=\"bad\">✗ no</td>"), table);
    assertTrue(table.contains("<td class=\"n\">-5</td>"), table);
  }

  /** Else a table of many columns is cut on a phone. */
  @Test
  void aRowOfAWideTableIsACardOnAPhone() throws IOException {
    String wide =
        Page.table(
            List.of("node", "state", ">used", ">spilled", "what"),
            List.of(List.of("n1", "fine", "5", "6", "-")));
    assertTrue(wide.contains("<table class=\"cards\">"), wide);
    assertTrue(wide.contains("<td class=\"n\" data-head=\"used\">5</td>"), wide);
    assertFalse(Page.table("a|b", List.of(List.of("1", "2"))).contains("cards"));
    String html = new Page("t").html();
    assertTrue(html.contains(".cards td::before { content: attr(data-head)"), "drawn beside it");
    assertTrue(html.contains("maxTicksLimit: narrow ? 5"), "labels keep their distance");
  }

  @Test
  void doubtsMakeABadgeAmber() throws IOException {
    Page page = new Page("t");
    page.head("a", Badge.of("1 of 1", true, List.of()), "");
    page.head("b", Badge.of("0 of 1", false, List.of()), "");
    page.head("c", Badge.of("0 of 1", false, List.of("synthetic trace", "machine was busy")), "");
    ReportPage read = ReportPage.read(page.html());
    assertEquals(List.of("1 of 1"), read.ofClass("badge good"));
    assertEquals(List.of("0 of 1"), read.ofClass("badge bad"));
    assertEquals(
        List.of("0 of 1 · synthetic trace · machine was busy"), read.ofClass("badge doubtful"));
  }

  /** Else what is spilled looks as if it were the tier DISK. */
  @Test
  void eachNameHasAColourOfItsOwn() throws IOException {
    String html = new Page("t").html();
    Matcher named = Pattern.compile("\\b(DISK|NVME|spilled|demoted): \"(#\\w+)\"").matcher(html);
    Map<String, String> colours = new HashMap<>();
    while (named.find()) {
      colours.put(named.group(1), named.group(2));
    }
    assertEquals(4, colours.size(), colours::toString);
    assertEquals(4, new HashSet<>(colours.values()).size(), colours::toString);
  }
}
