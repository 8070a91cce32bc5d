// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import io.temptier.cli.Table;
import io.temptier.cli.report.Page;
import io.temptier.cli.report.Page.Badge;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One goal and what came of it. What was not measured is neither met nor missed.
 *
 * @param unit of the figure: {@code x} for a ratio, {@code ms}, or what is counted
 * @param measured the figure that the goal is about, or null when it was not measured
 * @param met null when it was not measured
 */
public record Goal(
    String id, String goal, String unit, @Nullable Double measured, @Nullable Boolean met) {
  public static Goal of(
      String id, String goal, String unit, @Nullable Double measured, boolean met) {
    return measured == null
        ? new Goal(id, goal, unit, null, null)
        : new Goal(id, goal, unit, Figures.round(measured), met);
  }

  /** The figure for people, with its unit; what is counted has no digits after the point. */
  static String text(double figure, String unit) {
    boolean counted = !unit.equals("x") && figure == Math.rint(figure);
    return (counted ? Figures.text(figure, 0) : Figures.text(figure)) + " " + unit;
  }

  public static Badge badge(List<Goal> goals, List<String> doubts) {
    List<Goal> measured = goals.stream().filter(goal -> goal.measured() != null).toList();
    long met = measured.stream().filter(goal -> Boolean.TRUE.equals(goal.met())).count();
    return Badge.of(met + " of " + measured.size() + " goals met", met == measured.size(), doubts);
  }

  public static DataTable<Goal> table(List<Goal> goals) {
    Table<Goal> columns =
        new Table<Goal>()
            .add("Goal", Goal::goal)
            .add(">Measured", one -> one.measured == null ? "–" : text(one.measured, one.unit))
            .add("", Goal::verdict);
    return new DataTable<>(columns, goals, "There are none.");
  }

  private String verdict() {
    return met == null ? "not measured" : met ? Page.GOOD + "met" : Page.BAD + "missed";
  }
}
