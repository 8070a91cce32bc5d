// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.report;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bars that lie, one below the other: the median of each, its spread as a whisker, and what was
 * measured as dots. Not thread safe.
 */
public final class BarChart {
  private static final int WIDTH = 1000;
  private static final int ROW = 30;
  private static final int LEFT = 190;
  private static final int RIGHT = 150;
  private static final int BOTTOM = 24;

  private final String unit;
  private final List<Bar> bars = new ArrayList<>();

  /**
   * An empty one.
   *
   * @param unit of its values, such as {@code s}
   */
  public BarChart(String unit) {
    this.unit = unit;
  }

  private record Bar(String label, @Nullable Sample values, String text, String colour) {}

  /**
   * Adds a bar.
   *
   * @param values null when there is nothing to show
   * @param text what stands behind it
   */
  public BarChart bar(String label, @Nullable Sample values, String text, String colour) {
    bars.add(new Bar(label, values, text, colour));
    return this;
  }

  /** The drawing. */
  public String markup() {
    double most =
        bars.stream()
            .mapToDouble(bar -> bar.values() == null ? 0 : bar.values().max())
            .max()
            .orElse(0);
    Scale scale = Scale.upTo(most);
    int height = bars.size() * ROW + BOTTOM;
    Svg svg = new Svg(WIDTH, height, "bars with their spread, " + unit);
    for (int mark = 0; mark <= scale.marks(); mark++) {
      double x = x(scale, mark * scale.step());
      svg.line(x, 0, x, height - BOTTOM, Svg.GRID, 1);
      svg.text(x, height - 8, "middle", false, scale.label(mark) + " " + unit);
    }
    for (int i = 0; i < bars.size(); i++) {
      draw(svg, scale, bars.get(i), i * ROW);
    }
    return svg.markup();
  }

  private static void draw(Svg svg, Scale scale, Bar bar, double top) {
    double middle = top + ROW / 2.0;
    svg.text(LEFT - 10, middle + 4, "end", true, bar.label());
    double end = LEFT;
    Sample values = bar.values();
    if (values != null) {
      svg.bar(LEFT, top + 5, x(scale, values.median()) - LEFT, ROW - 10, bar.colour());
      double min = x(scale, values.min());
      double max = x(scale, values.max());
      svg.line(min, middle, max, middle, Svg.INK, 1.2);
      for (double value : values.sorted()) {
        svg.dot(x(scale, value), middle, Svg.INK);
      }
      end = Math.max(max, x(scale, values.median()));
    }
    svg.text(end + 8, middle + 4, "start", false, bar.text());
  }

  private static double x(Scale scale, double value) {
    return LEFT + scale.at(value) * (WIDTH - LEFT - RIGHT);
  }
}
