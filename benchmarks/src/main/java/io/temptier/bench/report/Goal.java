// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import org.jspecify.annotations.Nullable;

/**
 * One goal and what came of it.
 *
 * @param measured the figure that the goal is about, or null when it was not measured
 * @param unit of the figure: {@code x} for a ratio, {@code ms}, or what is counted
 * @param met false when it was not measured
 */
public record Goal(String id, String goal, @Nullable Double measured, String unit, boolean met) {
  /** The figure for people, with its unit; what is counted has no digits after the point. */
  static String text(double figure, String unit) {
    boolean counted = !unit.equals("x") && figure == Math.rint(figure);
    return (counted ? Figures.text(figure, 0) : Figures.text(figure)) + " " + unit;
  }

  public static Goal atLeast(String id, String goal, @Nullable Double measured, double least) {
    return new Goal(id, goal, measured, "x", measured != null && measured >= least);
  }

  public static Goal atMost(String id, String goal, @Nullable Double measured, double most) {
    return new Goal(id, goal, measured, "x", measured != null && measured <= most);
  }

  public static Goal below(String id, String goal, @Nullable Double millis, double limit) {
    return new Goal(id, goal, millis, "ms", millis != null && millis < limit);
  }
}
