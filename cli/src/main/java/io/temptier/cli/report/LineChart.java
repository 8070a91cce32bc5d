// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lines over time, in seconds. Not thread safe. */
public final class LineChart {
  private static final int WIDTH = 340;
  private static final int HEIGHT = 170;
  private static final int LEFT = 38;
  private static final int TOP = 22;
  private static final int RIGHT = 8;
  private static final int BOTTOM = 22;

  private final String title;
  private final Scale seconds;
  private final Scale values;
  private final Map<String, List<Point>> lines = new LinkedHashMap<>();

  /**
   * An empty one. Charts with the same ends can be compared by eye.
   *
   * @param title with the unit of its values
   * @param seconds the time axis's end
   * @param most the other axis's end
   */
  public LineChart(String title, double seconds, double most) {
    this.title = title;
    this.seconds = Scale.upTo(seconds);
    this.values = Scale.upTo(most);
  }

  /** A value at a time. */
  public record Point(double seconds, double value) {}

  /**
   * Adds a line.
   *
   * @param colour by which the legend names it
   */
  public LineChart line(String colour, List<Point> points) {
    lines.computeIfAbsent(colour, key -> new ArrayList<>()).addAll(points);
    return this;
  }

  /** What the colours stand for, as markup. */
  public static String legend(Map<String, String> namesByColour) {
    StringBuilder legend = new StringBuilder("<div class=\"legend\">");
    namesByColour.forEach(
        (colour, name) ->
            legend
                .append("<span><span class=\"dot\" style=\"background:")
                .append(colour)
                .append("\"></span>")
                .append(Page.escape(name))
                .append("</span>"));
    return legend.append("</div>").toString();
  }

  /** The drawing. */
  public String markup() {
    Svg svg = new Svg(WIDTH, HEIGHT, title);
    svg.text(LEFT, TOP - 9, "start", true, title);
    for (int mark = 0; mark <= values.marks(); mark++) {
      double y = y(mark * values.step());
      svg.line(LEFT, y, WIDTH - RIGHT, y, Svg.GRID, 1);
      svg.text(LEFT - 5, y + 4, "end", false, values.label(mark));
    }
    for (int mark = 0; mark <= seconds.marks(); mark++) {
      double x = x(mark * seconds.step());
      boolean last = mark == seconds.marks();
      String text = seconds.label(mark) + (last ? " s" : "");
      svg.text(x, HEIGHT - 6, last ? "end" : "middle", false, text);
    }
    lines.forEach((colour, points) -> svg.path(path(points), colour, 1.5));
    return svg.markup();
  }

  private String path(List<Point> points) {
    StringBuilder path = new StringBuilder();
    for (Point point : points) {
      path.append(Svg.format("%.1f,%.1f ", x(point.seconds()), y(point.value())));
    }
    return path.toString().trim();
  }

  private double x(double at) {
    return LEFT + seconds.at(at) * (WIDTH - LEFT - RIGHT);
  }

  private double y(double value) {
    return HEIGHT - BOTTOM - values.at(value) * (HEIGHT - TOP - BOTTOM);
  }
}
