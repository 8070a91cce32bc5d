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
