// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A report of one HTML file that needs no network and no script. Text is escaped where it comes
 * from a caller as text; methods that say "markup" take it as it is. Not thread safe.
 */
public final class Page {
  private static final String STYLE = "/io/temptier/cli/report/style.css";

  private final StringBuilder body = new StringBuilder();
  private final String title;

  /** An empty page. */
  public Page(String title) {
    this.title = title;
  }

  /** The look of all reports. */
  public static String style() throws IOException {
    try (InputStream in = Page.class.getResourceAsStream(STYLE)) {
      if (in == null) {
        throw new IOException("The class path of this JVM has no " + STYLE);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Text that may stand anywhere in markup. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /**
   * The head: title, a badge, and a line below.
   *
   * @param good whether the badge is a good one
   */
  public Page head(String badge, boolean good, String lead) {
    return chapter(title, badge, good, lead);
  }

  /**
   * The head of a part with sections of its own.
   *
   * @param good whether the badge is a good one
   */
  public Page chapter(String heading, String badge, boolean good, String lead) {
    body.append("<header><h1>").append(escape(heading)).append("</h1><span class=\"badge");
    body.append(good ? "" : " bad").append("\">").append(escape(badge)).append("</span></header>");
    body.append("<p class=\"lead\">").append(escape(lead)).append("</p>\n");
    return this;
  }

  /** One of the large figures below the head. Tiles that follow each other stand side by side. */
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

  /** A remark that nobody should miss. */
  public Page note(String text) {
    body.append("<p class=\"note\">").append(escape(text)).append("</p>\n");
    return this;
  }

  /**
   * A part with its heading.
   *
   * @param markup its content
   */
  public Page section(String heading, String explanation, String markup) {
    body.append("<section class=\"card\"><h2>").append(escape(heading)).append("</h2>");
    body.append("<p class=\"soft\">").append(escape(explanation)).append("</p>");
    body.append(markup).append("</section>\n");
    return this;
  }

  /**
   * A table as markup.
   *
   * @param heads its headings; those that begin with {@code >} are set flush right, as numbers are
   * @param rows as many cells as headings; {@code +} and {@code -} in front colour a cell as good
   *     and as bad
   */
  public static String table(List<String> heads, List<List<String>> rows) {
    StringBuilder table = new StringBuilder("<table>");
    if (heads.stream().anyMatch(head -> head.length() > 1)) {
      table.append("<tr>");
      for (String head : heads) {
        table.append(head.startsWith(">") ? "<th class=\"n\">" : "<th>");
        table.append(escape(head.startsWith(">") ? head.substring(1) : head)).append("</th>");
      }
      table.append("</tr>");
    }
    for (List<String> row : rows) {
      table.append("<tr>");
      for (int i = 0; i < row.size(); i++) {
        String cell = row.get(i);
        String colour = cell.startsWith("+") ? "good " : cell.startsWith("-") ? "bad " : "";
        String align = heads.get(i).startsWith(">") ? "n" : "w";
        table.append("<td class=\"").append(colour).append(align).append("\">");
        table.append(escape(colour.isEmpty() ? cell : cell.substring(1))).append("</td>");
      }
      table.append("</tr>");
    }
    return table.append("</table>").toString();
  }

  /** How this was made: the command, and what else is worth knowing. */
  public Page facts(Map<String, String> facts) {
    String code = "<code>" + escape(facts.getOrDefault("command", "")) + "</code>";
    List<List<String>> rows =
        facts.entrySet().stream()
            .filter(fact -> !fact.getKey().equals("command"))
            .map(fact -> List.of(fact.getKey(), fact.getValue()))
            .toList();
    return section("How this was made", "", code + table(List.of("", ""), rows));
  }

  /** The whole page. */
  public String html() throws IOException {
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
        + escape(title)
        + "</title>\n<style>\n"
        + style()
        + "</style>\n</head>\n<body>\n<main>\n"
        + body
        + "</main>\n</body>\n</html>\n";
  }
}
