// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import io.temptier.cli.Table;
import java.io.PrintWriter;
import java.util.List;

/** Goals for people. */
public final class GoalText {
  private GoalText() {}

  /**
   * Prints which were met.
   *
   * @param how what the figures are
   */
  public static void print(PrintWriter out, String how, List<Goal> goals) {
    out.println("Goals (" + how + ")");
    Table table = new Table("goal", ">measured", "");
    for (Goal goal : goals) {
      Double measured = goal.measured();
      table.row(
          goal.goal(),
          measured == null ? "-" : Goal.text(measured, goal.unit()),
          measured == null ? "not measured" : goal.met() ? "met" : "NOT MET");
    }
    table.lines("  ").forEach(out::println);
  }
}
