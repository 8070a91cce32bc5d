/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
