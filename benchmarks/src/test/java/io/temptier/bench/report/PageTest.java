// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.report.Chart.Axis;
import io.temptier.bench.report.Chart.Kind;
import io.temptier.bench.report.Chart.Mark;
import io.temptier.bench.report.Chart.Series;
import io.temptier.bench.report.Page.Badge;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

public final class PageTest {
  private static final String EVIL = "</script><script>alert(1)</script><!--\"'&";

  @Test
  void textIsNoMarkup() throws IOException {
    Chart chart =
        new Chart(
            Kind.LINE,
            EVIL,
            new Axis(EVIL, EVIL),
            new Axis(EVIL, ""),
            List.of(EVIL),
            List.of(new Series(EVIL, List.of(EVIL), List.of(1.0), List.of())),
            List.of(new Mark(true, 0, EVIL)));
    String html =
        new Page(EVIL)
            .head(EVIL, new Badge(EVIL, false, List.of(EVIL)), EVIL)
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
    assertEquals(List.of(EVIL), page.texts("code"));
    JsonNode data = page.charts().get(0);
    assertEquals(EVIL, data.path("at").path(0).asText());
    assertEquals(EVIL, data.path("marks").path(0).path("text").asText());
  }

  @Test
  void doubtsMakeABadgeAmber() throws IOException {
    Page page = new Page("t");
    page.head("a", new Badge("1 of 1", true, List.of()), "");
    page.head("b", new Badge("0 of 1", false, List.of()), "");
    page.head("c", new Badge("0 of 1", false, List.of("synthetic trace", "machine was busy")), "");
    ReportPage read = ReportPage.read(page.html());
    assertEquals(List.of("1 of 1"), read.ofClass("badge good"));
    assertEquals(List.of("0 of 1"), read.ofClass("badge bad"));
    assertEquals(
        List.of("0 of 1 · synthetic trace · machine was busy"), read.ofClass("badge doubtful"));
  }

  private static final Axis ARMS = new Axis("arm", "");
  private static final Axis SECONDS = new Axis("time", "s");

  @Test
  void aBarHasItsMedianAndEveryRound() throws IOException {
    Series series =
        new Series(
            "median",
            List.of("#111111", "#222222"),
            Arrays.asList(90.0, null, Double.NaN, Double.POSITIVE_INFINITY),
            List.of(List.of(80.0, 90.0, 100.123456), List.of(), List.of(), List.of()));
    ReportPage page =
        read(
            new Chart(Kind.BARS, "t", ARMS, SECONDS, List.of("a", "b", "c", "d"), List.of(series)));
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
    Axis disk = new Axis("disk", "bytes");
    Series series = new Series("written", List.of(1536.0));
    ReportPage page =
        read(
            new Chart(
                Kind.LINE, "t", disk, new Axis("y", "bytes"), List.of(1L << 30), List.of(series)));
    assertEquals(List.of("disk", "written"), page.texts("th"));
    assertEquals(List.of("1 GiB", "1.5 KiB"), page.texts("td"));
    assertEquals(1L << 30, page.charts().get(0).path("at").path(0).asLong());
  }

  private static ReportPage read(Chart chart) throws IOException {
    return ReportPage.read(new Page("t").section("s", "", chart.markup()).html());
  }

  /** A report as it was written, taken apart. Reading one checks what all of them have to keep. */
  public static final class ReportPage {
    private static final Pattern CODE =
        Pattern.compile("<(script|style)>.*?</\\1>", Pattern.DOTALL);

    private final Document document;
    private final List<JsonNode> charts = new ArrayList<>();

    private ReportPage(Document document) {
      this.document = document;
    }

    /**
     * Reads a page: it is well formed, loads nothing, and each chart has titles on its axes, a
     * value of each series everywhere, and its table.
     *
     * @throws IOException when the data of a chart is no JSON
     */
    public static ReportPage read(String html) throws IOException {
      assertTrue(html.contains("Chart.js v"), "Chart.js is in it, its licence notice with it");
      assertFalse(html.contains("{{"), "all places of the template are filled");
      String markup = CODE.matcher(html).replaceAll("");
      assertFalse(markup.matches("(?s).*\\s(src|href)=.*"), "something is loaded");
      ReportPage page = new ReportPage(xml(markup));
      for (Element figure : page.elements("figure")) {
        page.charts.add(chart(figure));
      }
      return page;
    }

    private static Document xml(String markup) throws IOException {
      try {
        return DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(markup)));
      } catch (SAXException | ParserConfigurationException e) {
        throw new AssertionError("the page is not well formed: " + e.getMessage(), e);
      }
    }

    private static JsonNode chart(Element figure) throws IOException {
      JsonNode chart = new ObjectMapper().readTree(text(figure, "script"));
      assertEquals(text(figure, "figcaption"), chart.path("title").asText());
      for (String axis : List.of("x", "y")) {
        assertFalse(chart.path(axis).path("title").asText().isBlank(), chart::toString);
      }
      assertTrue(chart.path("series").size() > 0, chart::toString);
      for (JsonNode series : chart.path("series")) {
        assertEquals(chart.path("at").size(), series.path("values").size(), chart::toString);
        assertTrue(text(figure, "table").contains(series.path("name").asText()), chart::toString);
      }
      return chart;
    }

    private static String text(Element parent, String name) {
      return parent.getElementsByTagName(name).item(0).getTextContent();
    }

    private List<Element> elements(String name) {
      NodeList nodes = document.getElementsByTagName(name);
      List<Element> elements = new ArrayList<>();
      for (int i = 0; i < nodes.getLength(); i++) {
        elements.add((Element) nodes.item(i));
      }
      return elements;
    }

    public List<JsonNode> charts() {
      return charts;
    }

    public List<String> texts(String element) {
      return elements(element).stream().map(Element::getTextContent).toList();
    }

    public List<String> ofClass(String value) {
      return elements("*").stream()
          .filter(element -> element.getAttribute("class").equals(value))
          .map(Element::getTextContent)
          .toList();
    }
  }
}
