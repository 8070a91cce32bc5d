// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;

/**
 * Curves over points that have names, such as sizes or percentiles; from zero, or on a logarithmic
 * scale. Not thread safe.
 */
public final class CurveChart {
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 300;
  private static final int LEFT = 64;
  private static final int TOP = 28;
  private static final int RIGHT = 40;
  private static final int BOTTOM = 26;
  private static final String HIGHLIGHT = "#12805c";

  /**
   * A point of the horizontal axis.
   *
   * @param name what stands below it
   * @param at where it lies, on any scale that grows
   */
  public record Stop(String name, double at) {}

  private record Mark(String text, double at) {}

  private record Curve(String colour, List<Double> values) {}

  private final String title;
  private final List<Stop> stops;
  private final List<Mark> marks;
  private final DoubleUnaryOperator height;
  private final List<Curve> curves = new ArrayList<>();
  private int highlighted = -1;
  private String highlight = "";

  private CurveChart(String title, List<Stop> stops, List<Mark> marks, DoubleUnaryOperator height) {
    this.title = title;
    this.stops = List.copyOf(stops);
    this.marks = marks;
    this.height = height;
  }

  /**
   * A chart whose values begin at zero.
   *
   * @param title with the unit of its values
   * @param stops in their order; at least one
   * @param most what the axis reaches at least
   */
  public static CurveChart linear(String title, List<Stop> stops, double most) {
    Scale scale = Scale.upTo(most);
    List<Mark> marks = new ArrayList<>();
    for (int mark = 0; mark <= scale.marks(); mark++) {
      marks.add(new Mark(scale.label(mark), scale.at(mark * scale.step())));
    }
    return new CurveChart(title, stops, marks, scale::at);
  }

  /**
   * A chart whose values are positive and span powers of ten.
   *
   * @param title what its values are
   * @param stops in their order; at least one
   * @param least of all values
   * @param most of all values
   * @param label names a power of ten
   */
  public static CurveChart logarithmic(
      String title, List<Stop> stops, double least, double most, DoubleFunction<String> label) {
    double bottom = Math.floor(Math.log10(least));
    double top = Math.max(bottom + 1, Math.ceil(Math.log10(most)));
    List<Mark> marks = new ArrayList<>();
    for (double power = bottom; power <= top; power++) {
      marks.add(new Mark(label.apply(Math.pow(10, power)), (power - bottom) / (top - bottom)));
    }
    return new CurveChart(
        title, stops, marks, value -> (Math.log10(value) - bottom) / (top - bottom));
  }

  /**
   * Adds a curve.
   *
   * @param values one for each stop
   */
  public CurveChart curve(String colour, List<Double> values) {
    if (values.size() != stops.size()) {
      throw new IllegalArgumentException(values.size() + " values for " + stops.size() + " stops");
    }
    curves.add(new Curve(colour, List.copyOf(values)));
    return this;
  }

  /** Marks one stop. */
  public CurveChart highlight(int stop, String text) {
    highlighted = stop;
    highlight = text;
    return this;
  }

  /** The drawing. */
  public String markup() {
    Svg svg = new Svg(WIDTH, HEIGHT, title);
    svg.text(LEFT, TOP - 14, "start", true, title);
    for (Mark mark : marks) {
      double y = y(mark.at());
      svg.line(LEFT, y, WIDTH - RIGHT, y, Svg.GRID, 1);
      svg.text(LEFT - 8, y + 4, "end", false, mark.text());
    }
    for (int i = 0; i < stops.size(); i++) {
      svg.text(x(i), HEIGHT - 6, "middle", i == highlighted, stops.get(i).name());
    }
    if (highlighted >= 0) {
      double x = x(highlighted);
      svg.line(x, TOP - 6, x, HEIGHT - BOTTOM, HIGHLIGHT, 1.5);
      boolean right = x > WIDTH / 2.0;
      svg.text(x + (right ? -6 : 6), TOP - 14, right ? "end" : "start", true, highlight);
    }
    for (Curve curve : curves) {
      draw(svg, curve);
    }
    return svg.markup();
  }

  private void draw(Svg svg, Curve curve) {
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < stops.size(); i++) {
      double y = y(height.applyAsDouble(curve.values().get(i)));
      points.append(Svg.format("%.1f,%.1f ", x(i), y));
      svg.dot(x(i), y, curve.colour());
    }
    svg.path(points.toString().trim(), curve.colour(), 2);
  }

  private double x(int stop) {
    double first = stops.get(0).at();
    double span = stops.get(stops.size() - 1).at() - first;
    double share = span == 0 ? 0.5 : (stops.get(stop).at() - first) / span;
    // Names at both ends need room of their own.
    return LEFT + 30 + share * (WIDTH - LEFT - RIGHT - 60);
  }

  private static double y(double share) {
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
  }
}
