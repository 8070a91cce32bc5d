// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.report.Page;
import io.temptier.cli.report.Page.Badge;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One goal and what came of it. What was not measured is neither met nor missed.
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

  public static void put(ArrayNode array, List<Goal> goals) {
    for (Goal goal : goals) {
      ObjectNode node = array.addObject().put("id", goal.id()).put("goal", goal.goal());
      Double measured = goal.measured();
      node.put("unit", goal.unit());
      node.put("measured", measured == null ? null : Double.valueOf(Figures.round(measured)));
      node.put("met", measured == null ? null : Boolean.valueOf(goal.met()));
    }
  }

  public static Badge badge(List<Goal> goals, boolean complete, List<String> doubts) {
    List<Goal> measured = goals.stream().filter(goal -> goal.measured() != null).toList();
    long met = measured.stream().filter(Goal::met).count();
    return Badge.of(
        met + " of " + measured.size() + " goals met", complete && met == measured.size(), doubts);
  }

  public static DataTable table(List<Goal> goals) {
    return new DataTable("Goal|>Measured|", goals.stream().map(Goal::row).toList());
  }

  private static List<String> row(Goal goal) {
    Double measured = goal.measured();
    return measured == null
        ? List.of(goal.goal(), "–", "not measured")
        : List.of(
            goal.goal(),
            text(measured, goal.unit()),
            goal.met() ? Page.GOOD + "met" : Page.BAD + "missed");
  }
}
