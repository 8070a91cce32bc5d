// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A report of one HTML file that needs no network. Text is escaped where it comes from a caller as
 * text; what is called markup is taken as it is. Outside of scripts the page is well-formed XML.
 * Not thread safe.
 */
public final class Page {
  /** Prefix that colours a cell as good. */
  public static final String GOOD = "✓ ";

  /** Prefix that colours a cell as bad. */
  public static final String BAD = "✗ ";

  private static final int LONG_CELL = 30;
  private static final int MOST_ON_A_PHONE = 3;
  private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d");

  private final StringBuilder body = new StringBuilder();
  private final String title;

  public Page(String title) {
    this.title = title;
    body.append(
        "<noscript><p class=\"note\">The charts are drawn by a script, and scripts are switched"
            + " off here: their figures are in the tables below them.</p></noscript>\n");
  }

  /**
   * The verdict beside a heading: green or red; amber where there are doubts about its figures.
   *
   * @param doubts such as {@code synthetic trace}
   */
  public record Badge(String text, boolean good, List<String> doubts) {
    private String markup() {
      String colour = !doubts.isEmpty() ? "doubtful" : good ? "good" : "bad";
      String all = doubts.isEmpty() ? text : text + " · " + String.join(" · ", doubts);
      return "<span class=\"badge " + colour + "\">" + escape(all) + "</span>";
    }
  }

  /** Text that may stand anywhere in markup. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** The head of the page, or of a part with sections of its own, and a line below. */
  public Page head(String heading, Badge badge, String lead) {
    body.append("<header><h1>").append(escape(heading)).append("</h1>").append(badge.markup());
    // No line breaks within a time such as 2026-01-31 22:05.
    String wholeTimes = TIME.matcher(escape(lead)).replaceAll("<time>$0</time>");
    body.append("</header>\n<p class=\"lead\">").append(wholeTimes).append("</p>\n");
    return this;
  }

  /** Large figures, side by side. */
  public Page tiles(Map<String, String> valuesByLabel) {
    body.append("<div class=\"tiles\">");
    valuesByLabel.forEach(
        (label, value) ->
            body.append("<div class=\"card tile\"><b>")
                .append(escape(value))
                .append("</b><span>")
                .append(escape(label))
                .append("</span></div>"));
    body.append("</div>\n");
    return this;
  }

  public Page note(String text) {
    body.append("<p class=\"note\">").append(escape(text)).append("</p>\n");
    return this;
  }

  /** A part with its heading and its content as markup. */
  public Page section(String heading, String explanation, String markup) {
    body.append("<section class=\"card\"><h2>").append(escape(heading)).append("</h2>\n");
    body.append("<p class=\"soft\">").append(escape(explanation)).append("</p>\n");
    body.append(markup).append("</section>\n");
    return this;
  }

  /**
   * A table as markup, which scrolls by itself where it is too wide.
   *
   * @param cells of its rows, the first of which are its headings: those that begin with {@code >}
   *     are set flush right, as numbers are. {@link #GOOD} and {@link #BAD} in front colour a cell
   */
  public static String table(List<List<String>> cells) {
    List<String> heads = cells.get(0);
    boolean named = heads.stream().anyMatch(head -> head.length() > 1);
    // On a phone each row of such a table is a card, its headings beside its cells.
    boolean cards = named && heads.size() > MOST_ON_A_PHONE;
    StringBuilder table =
        new StringBuilder("<div class=\"scroll\"><table" + (cards ? " class=\"cards\">" : ">"));
    if (named) {
      table.append("<tr>");
      for (String head : heads) {
        table.append(head.startsWith(">") ? "<th class=\"n\">" : "<th>");
        table.append(escape(head.startsWith(">") ? head.substring(1) : head)).append("</th>");
      }
      table.append("</tr>");
    }
    for (List<String> row : cells.subList(1, cells.size())) {
      table.append("\n<tr>");
      for (int i = 0; i < row.size(); i++) {
        String cell = row.get(i);
        String colour = cell.startsWith(GOOD) ? " good" : cell.startsWith(BAD) ? " bad" : "";
        String align = heads.get(i).startsWith(">") ? "n" : cell.length() > LONG_CELL ? "long" : "";
        String kind = (align + colour).trim();
        table.append(kind.isEmpty() ? "<td" : "<td class=\"" + kind + "\"");
        String head = heads.get(i).startsWith(">") ? heads.get(i).substring(1) : heads.get(i);
        table.append(cards ? " data-head=\"" + escape(head) + "\">" : ">");
        table.append(escape(cell)).append("</td>");
      }
      table.append("</tr>");
    }
    return table.append("</table></div>\n").toString();
  }

  /** Adds a section on how this was made: the command, and what else is worth knowing. */
  public Page facts(Map<String, String> facts) {
    String code = "<code>" + escape(facts.getOrDefault("command", "")) + "</code>";
    List<List<String>> cells = new ArrayList<>(List.of(List.of("", "")));
    facts.forEach((what, value) -> cells.add(List.of(what, value)));
    cells.removeIf(fact -> fact.get(0).equals("command"));
    return section("How this was made", "", code + table(cells));
  }

  /** The whole page; fails when this build lacks the template or Chart.js. */
  public String html() throws IOException {
    String chartJs = resource("chart.umd.js").replaceAll("(?m)^//# sourceMappingURL=.*$", "");
    return resource("page.html")
        .replace("{{chart.js}}", chartJs)
        .replace("{{title}}", escape(title))
        .replace("{{body}}", body);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Page.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("The class path of this JVM has no io/temptier/bench/report/" + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
