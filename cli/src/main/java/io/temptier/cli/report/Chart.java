// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.report;

import com.google.auto.value.AutoValue;
import io.temptier.cli.JsonFile.Json;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Sizes;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A chart as data, which the script of a {@link Page} draws; its figures are a table, too. */
@AutoValue
public abstract class Chart {
  private static final MathContext DIGITS = new MathContext(5);
  private static final int MOST_ROWS = 100;
  private static final int BAR_HEIGHT = 26;
  private static final int AXES_HEIGHT = 90;

  public abstract Kind kind();

  public abstract String title();

  /** Axis of {@code at}; of bars that lie it is drawn upright. */
  public abstract Axis x();

  /** Axis of the values. */
  public abstract Axis y();

  /** Place of each value: all numbers, or all names. */
  public abstract List<?> at();

  /** Series, each with one value for each of {@code at}. */
  public abstract List<Series> series();

  /** Lines across it. */
  public abstract List<Mark> marks();

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

  @AutoValue
  public abstract static class Axis {
    public abstract String title();

    /**
     * {@code bytes} are shown with the prefix that fits, any other is part of the title; empty for
     * names.
     */
    public abstract String unit();

    /** Least upper end, so that charts can be compared by eye; 0 lets the values decide. */
    public abstract double max();

    public static Axis of(String title, String unit, double max) {
      return new AutoValue_Chart_Axis(title, unit, max);
    }

    /** Makes an axis that reaches as far as its values. */
    public static Axis of(String title, String unit) {
      return of(title, unit, 0);
    }

    /** Returns this axis, reaching a value at least. */
    public Axis upTo(double value) {
      return Axis.of(title(), unit(), value);
    }

    private String unitText() {
      return unit().isEmpty() || unit().equals("bytes") ? "" : ", " + unit();
    }

    private String text(@Nullable Object value) {
      if (!(value instanceof Number)) {
        return value == null ? "–" : value.toString();
      }
      Number number = (Number) value;
      return unit().equals("bytes")
          ? Sizes.format(number.longValue())
          : BigDecimal.valueOf(number.doubleValue()).stripTrailingZeros().toPlainString();
    }
  }

  /** Values drawn in one colour. */
  @AutoValue
  public abstract static class Series {
    public abstract String name();

    /** Colours, one for each value; empty takes the page's colour for the name. */
    public abstract List<String> colours();

    /** Null where there is none. */
    public abstract List<@Nullable Double> values();

    /** Rounds of which each value is the median; empty where they are not shown. */
    public abstract List<List<Double>> rounds();

    public static Series of(
        String name,
        List<String> colours,
        List<@Nullable Double> values,
        List<List<Double>> rounds) {
      values = values.stream().map(Chart::rounded).collect(Immutable.toList());
      rounds =
          rounds.stream()
              .map(one -> one.stream().map(Chart::rounded).collect(Immutable.toList()))
              .collect(Immutable.toList());
      return new AutoValue_Chart_Series(name, colours, values, rounds);
    }

    /** Values in the page's colour. */
    public static Series of(String name, List<@Nullable Double> values) {
      return of(name, Immutable.listOf(), values, Immutable.listOf());
    }
  }

  @AutoValue
  public abstract static class Mark {
    /** True if it stands at a place of the x axis, false if it lies at one of the y axis. */
    public abstract boolean onX();

    public abstract double at();

    public abstract String text();

    public static Mark of(boolean onX, double at, String text) {
      return new AutoValue_Chart_Mark(onX, at, text);
    }
  }

  public static Chart of(
      Kind kind, String title, Axis x, Axis y, List<?> at, List<Series> series, List<Mark> marks) {
    at =
        at.stream()
            .map(one -> one instanceof Double ? rounded((Double) one) : one)
            .collect(Immutable.toList());
    return new AutoValue_Chart(kind, title, x, y, at, series, marks);
  }

  /** Rounds to what a chart can show; null for a number that was not measured. */
  private static @Nullable Double rounded(@Nullable Double value) {
    return value == null || !Double.isFinite(value)
        ? null
        : Double.valueOf(BigDecimal.valueOf(value).round(DIGITS).doubleValue());
  }

  public static Chart of(Kind kind, String title, Axis x, Axis y, List<?> at, List<Series> series) {
    return of(kind, title, x, y, at, series, Immutable.listOf());
  }

  /** The figure: where it is drawn, its data for the script, and its data as a table. */
  public String markup() {
    int bars = kind() == Kind.BARS ? series().size() : kind() == Kind.STACKED_BARS ? 1 : 0;
    String height =
        bars == 0 ? "" : "height:" + (AXES_HEIGHT + at().size() * bars * BAR_HEIGHT) + "px";
    return String.format(
        "<figure class=\"chart\"><figcaption>%1$s</figcaption>\n"
            + "<div class=\"plot\" style=\"%2$s\"><canvas role=\"img\""
            + " aria-label=\"%1$s\"></canvas></div>\n"
            + "<script type=\"application/json\">%3$s</script>\n"
            + "%4$s</figure>\n",
        Page.escape(title()), height, json(), table());
  }

  /** Writes JSON without markup, so that it may stand anywhere in the page. */
  private String json() {
    String json = Json.MAPPER.valueToTree(this).toString();
    return json.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
  }

  private String table() {
    boolean numbers = !at().isEmpty() && at().get(0) instanceof Number;
    List<String> heads =
        new ArrayList<>(Immutable.listOf((numbers ? ">" : "") + x().title() + x().unitText()));
    series().forEach(one -> heads.add(">" + one.name() + y().unitText()));
    int step = Math.max(1, (at().size() + MOST_ROWS - 1) / MOST_ROWS);
    List<List<String>> cells = new ArrayList<>(Immutable.listOf(heads));
    for (int i = 0; i < at().size(); i += step) {
      List<String> row = new ArrayList<>(Immutable.listOf(x().text(at().get(i))));
      for (Series one : series()) {
        row.add(y().text(one.values().get(i)) + rounds(one, i));
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
    return one.rounds().isEmpty() || one.rounds().get(i).size() < 2
        ? ""
        : one.rounds().get(i).stream().map(y()::text).collect(Collectors.joining(", ", " (", ")"));
  }
}
