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
