// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.Table;
import io.temptier.cli.report.Page;
import io.temptier.cli.report.Page.Badge;
import java.io.PrintWriter;
import java.util.List;

/** Goals for programs, pages and people: what was not measured is neither met nor missed. */
public final class Goals {
  private Goals() {}

  /** Adds them to an array. */
  public static void put(ArrayNode array, List<Goal> goals) {
    for (Goal goal : goals) {
      ObjectNode node = array.addObject().put("id", goal.id()).put("goal", goal.goal());
      node.put("unit", goal.unit());
      Double measured = goal.measured();
      if (measured == null) {
        node.putNull("measured").putNull("met");
      } else {
        node.put("measured", Figures.round(measured)).put("met", goal.met());
      }
    }
  }

  /**
   * How many of them are met, as a verdict.
   *
   * @param complete whether all that was to be measured was
   * @param doubts about the figures
   */
  public static Badge badge(List<Goal> goals, boolean complete, List<String> doubts) {
    List<Goal> measured = goals.stream().filter(goal -> goal.measured() != null).toList();
    long met = measured.stream().filter(Goal::met).count();
    return new Badge(
        met + " of " + measured.size() + " goals met", complete && met == measured.size(), doubts);
  }

  /** The table of a page. */
  public static String markup(List<Goal> goals) {
    List<List<String>> rows =
        goals.stream().map(goal -> row(goal, "–", Page.GOOD + "met", Page.BAD + "missed")).toList();
    return Page.table("Goal|>Measured|", rows);
  }

  /**
   * Prints which were met.
   *
   * @param how what the figures are
   */
  public static void print(PrintWriter out, String how, List<Goal> goals) {
    out.println("Goals (" + how + ")");
    Table table = new Table("goal", ">measured", "");
    goals.forEach(goal -> table.row(row(goal, "-", "met", "NOT MET").toArray(String[]::new)));
    table.lines("  ").forEach(out::println);
  }

  private static List<String> row(Goal goal, String nothing, String met, String missed) {
    Double measured = goal.measured();
    return measured == null
        ? List.of(goal.goal(), nothing, "not measured")
        : List.of(goal.goal(), Goal.text(measured, goal.unit()), goal.met() ? met : missed);
  }
}
