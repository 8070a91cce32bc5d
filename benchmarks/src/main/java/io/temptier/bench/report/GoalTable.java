// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import io.temptier.cli.report.Page;
import java.util.List;

/** Goals as a part of a page. */
public final class GoalTable {
  private GoalTable() {}

  /** The table as markup; what was not measured is neither met nor missed. */
  public static String markup(List<Goal> goals) {
    return Page.table(
        List.of("Goal", ">Measured", ""), goals.stream().map(GoalTable::row).toList());
  }

  private static List<String> row(Goal goal) {
    Double measured = goal.measured();
    if (measured == null) {
      return List.of(goal.goal(), "–", "not measured");
    }
    return List.of(goal.goal(), Goal.text(measured, goal.unit()), goal.met() ? "+met" : "-missed");
  }
}
