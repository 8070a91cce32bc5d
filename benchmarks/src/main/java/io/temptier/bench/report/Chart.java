// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.tier.text.Sizes;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A chart as data, which the script of a {@link Page} draws; its figures are a table, too.
 *
 * @param x axis of {@code at}; of bars that lie it is drawn upright
 * @param y axis of the values
 * @param at place of each value: all numbers, or all names
 * @param series each with one value for each of {@code at}
 * @param marks lines across it
 */
public record Chart(
    Kind kind, String title, Axis x, Axis y, List<?> at, List<Series> series, List<Mark> marks) {
  private static final MathContext DIGITS = new MathContext(5);
  private static final int MOST_ROWS = 100;
  private static final int BAR_HEIGHT = 26;
  private static final int AXES_HEIGHT = 90;

  public enum Kind {
    /** A line each. */
    LINE,
    /** Filled, one on top of the other: what there is at a time. */
    AREA,
    /** Lying bars side by side, with the rounds that each is made of. */
    BARS,
    /** Draws one lying bar, made of all of them. */
    STACKED_BARS
  }

  /**
   * An axis.
   *
   * @param unit {@code bytes} are shown with the prefix that fits, any other is part of the title;
   *     empty for names
   * @param max least upper end, so that charts can be compared by eye; 0 lets the values decide
   */
  public record Axis(String title, String unit, double max) {
    public Axis(String title, String unit) {
      this(title, unit, 0);
    }

    /** Returns this axis, reaching a value at least. */
    public Axis upTo(double value) {
      return new Axis(title, unit, value);
    }

    private String unitText() {
      return unit.isEmpty() || unit.equals("bytes") ? "" : ", " + unit;
    }

    private String text(@Nullable Object value) {
      if (!(value instanceof Number number)) {
        return value == null ? "–" : value.toString();
      }
      return unit.equals("bytes")
          ? Sizes.format(number.longValue())
          : BigDecimal.valueOf(number.doubleValue()).stripTrailingZeros().toPlainString();
    }
  }

  /**
   * Values drawn in one colour.
   *
   * @param colours one for each value; empty takes the page's colour for the name
   * @param values null where there is none
   * @param rounds of which each value is the median; empty where they are not shown
   */
  public record Series(
      String name, List<String> colours, List<@Nullable Double> values, List<List<Double>> rounds) {
    public Series {
      values = values.stream().map(Chart::rounded).toList();
      rounds = rounds.stream().map(one -> one.stream().map(Chart::rounded).toList()).toList();
    }

    /** Values in the page's colour. */
    public Series(String name, List<@Nullable Double> values) {
      this(name, List.of(), values, List.of());
    }
  }

  /** A line: at a place of the x axis, or at one of the y axis. */
  public record Mark(boolean onX, double at, String text) {}

  public Chart {
    at = at.stream().map(one -> one instanceof Double number ? rounded(number) : one).toList();
  }

  public Chart(Kind kind, String title, Axis x, Axis y, List<?> at, List<Series> series) {
    this(kind, title, x, y, at, series, List.of());
  }

  /** Rounds to what a chart can show; null for a number that was not measured. */
  private static @Nullable Double rounded(@Nullable Double value) {
    return value == null || !Double.isFinite(value)
        ? null
        : Double.valueOf(BigDecimal.valueOf(value).round(DIGITS).doubleValue());
  }

  /** The figure: where it is drawn, its data for the script, and its data as a table. */
  public String markup() {
    int bars = kind == Kind.BARS ? series.size() : kind == Kind.STACKED_BARS ? 1 : 0;
    String height =
        bars == 0 ? "" : "height:" + (AXES_HEIGHT + at.size() * bars * BAR_HEIGHT) + "px";
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
    boolean numbers = !at.isEmpty() && at.get(0) instanceof Number;
    List<String> heads = new ArrayList<>();
    heads.add((numbers ? ">" : "") + x.title + x.unitText());
    series.forEach(one -> heads.add(">" + one.name + y.unitText()));
    int step = Math.max(1, (at.size() + MOST_ROWS - 1) / MOST_ROWS);
    List<List<String>> cells = new ArrayList<>(List.of(heads));
    for (int i = 0; i < at.size(); i += step) {
      List<String> row = new ArrayList<>();
      row.add(x.text(at.get(i)));
      for (Series one : series) {
        row.add(y.text(one.values.get(i)) + rounds(one, i));
      }
      cells.add(row);
    }
    return "<details><summary>Figures"
        + (step == 1 ? "" : " (one point of " + step + ")")
        + "</summary>"
        + Page.table(cells)
        + "</details>";
  }

  private String rounds(Series one, int i) {
    return one.rounds.isEmpty() || one.rounds.get(i).size() < 2
        ? ""
        : one.rounds.get(i).stream().map(y::text).collect(Collectors.joining(", ", " (", ")"));
  }
}
