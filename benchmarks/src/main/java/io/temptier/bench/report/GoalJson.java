// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Goals for programs. */
public final class GoalJson {
  private GoalJson() {}

  /** Adds goals to an array; what was not measured is null there, and neither met nor missed. */
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
}
