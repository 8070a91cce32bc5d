// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.report;

import java.util.Locale;

/** Collects the shapes of one drawing. Not thread safe. */
final class Svg {
  /** Of grid lines. */
  static final String GRID = "#e3e8ee";

  /** Of axes and whiskers. */
  static final String INK = "#1b2430";

  private final StringBuilder shapes = new StringBuilder();
  private final int width;
  private final int height;
  private final String label;

  /**
   * An empty drawing.
   *
   * @param label for those who cannot see it
   */
  Svg(int width, int height, String label) {
    this.width = width;
    this.height = height;
    this.label = label;
  }

  Svg line(double x1, double y1, double x2, double y2, String colour, double thickness) {
    shapes.append(
        format(
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
                + " stroke-width=\"%.1f\"/>",
            x1, y1, x2, y2, colour, thickness));
    return this;
  }

  Svg bar(double x, double y, double w, double h, String colour) {
    shapes.append(
        format(
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\" fill=\"%s\"/>",
            x, y, Math.max(0, w), h, colour));
    return this;
  }

  Svg dot(double x, double y, String colour) {
    shapes.append(format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>", x, y, colour));
    return this;
  }

  Svg path(String points, String colour, double thickness) {
    shapes.append(
        format(
            "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\""
                + " stroke-linejoin=\"round\"/>",
            points, colour, thickness));
    return this;
  }

  /**
   * Text.
   *
   * @param anchor {@code start}, {@code middle} or {@code end}
   * @param strong whether it is set bold
   */
  Svg text(double x, double y, String anchor, boolean strong, String text) {
    shapes.append(
        format(
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>",
            x, y, anchor, strong ? " class=\"strong\"" : "", Page.escape(text)));
    return this;
  }

  /** The markup. */
  String markup() {
    return format(
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
            width, height, Page.escape(label))
        + shapes
        + "</svg>";
  }

  static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
