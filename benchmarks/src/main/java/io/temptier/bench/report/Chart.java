// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.tier.text.Sizes;
import java.util.ArrayList;
import java.util.List;

/**
 * A chart of bytes as data, which the script of a {@link Page} draws; its figures are a table, too.
 *
 * @param at place of each value: all numbers, or all names
 * @param x title of what {@code at} is
 * @param y title of what the values are
 * @param series each with one value for each of {@code at}
 * @param marks lines across it
 */
public record Chart(
    Kind kind,
    String title,
    String x,
    String y,
    List<?> at,
    List<Series> series,
    List<Mark> marks) {
  private static final int MOST_ROWS = 100;
  private static final int BAR_HEIGHT = 26;
  private static final int AXES_HEIGHT = 90;

  public enum Kind {
    /** Filled, one on top of the other: what there is at a time. */
    AREA,
    /** Draws one lying bar, made of all of them. */
    STACKED_BARS
  }

  /** Values drawn in the page's colour for the name. */
  public record Series(String name, List<Long> values) {}

  /** A line: at a place of the x axis, or at one of the y axis. */
  public record Mark(boolean onX, double at, String text) {}

  /** The figure: where it is drawn, its data for the script, and its data as a table. */
  public String markup() {
    String height =
        kind == Kind.AREA ? "" : "height:" + (AXES_HEIGHT + at.size() * BAR_HEIGHT) + "px";
    return """
    <figure class="chart"><figcaption>%1$s</figcaption>
    <div class="plot" style="%2$s"><canvas role="img" aria-label="%1$s"></canvas></div>
    <script type="application/json">%3$s</script>
    %4$s</figure>
    """
        .formatted(Page.escape(title), height, json(), table());
  }

  /** Writes JSON without markup, so that it may stand anywhere in the page. */
  private String json() {
    String json = new ObjectMapper().valueToTree(this).toString();
    return json.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
  }

  private String table() {
    List<String> heads = new ArrayList<>();
    heads.add((kind == Kind.AREA ? ">" : "") + x);
    series.forEach(one -> heads.add(">" + one.name));
    int step = Math.max(1, (at.size() + MOST_ROWS - 1) / MOST_ROWS);
    List<List<String>> cells = new ArrayList<>(List.of(heads));
    for (int i = 0; i < at.size(); i += step) {
      List<String> row = new ArrayList<>();
      row.add(at.get(i).toString());
      for (Series one : series) {
        row.add(Sizes.format(one.values.get(i)));
      }
      cells.add(row);
    }
    return "<details><summary>Figures"
        + (step == 1 ? "" : " (one point of " + step + ")")
        + "</summary>"
        + Page.table(cells)
        + "</details>";
  }
}
