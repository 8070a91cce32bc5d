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
package io.temptier.bench.terasort;

import io.temptier.bench.report.Goal;
import io.temptier.bench.report.Sample;
import io.temptier.cli.Table;
import io.temptier.tier.Sizes;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the command prints. */
final class TeraSortText {
  private TeraSortText() {}

  /** Says beforehand what is going to be done. */
  static void plan(PrintWriter out, TeraSortPlan plan) {
    out.printf(
        Locale.ROOT,
        "%s: %s.%nTeraSort of %s, %d maps and %d reduces, about %s of temporary data at its peak;"
            + " %d rounds of %s.%n",
        plan.experiment().name(),
        plan.experiment().question(),
        Sizes.format(plan.inputBytes()),
        plan.maps(),
        plan.reduces(),
        Sizes.format(plan.tempBytes()),
        plan.rounds(),
        plan.arms().stream().map(Arm::label).collect(Collectors.joining(", ")));
    plan.experiment()
        .settings()
        .forEach(setting -> out.println("  " + setting.name() + ": " + plan.node(setting)));
    out.println();
    out.flush();
  }

  /** Says what came of one trial. */
  static void trial(PrintWriter out, Trial trial) {
    out.printf(
        Locale.ROOT,
        "  %-34s %7.1f s%s%n",
        trial.id(),
        trial.seconds(),
        trial.counts()
            ? ""
            : "  "
                + trial.state()
                + ", "
                + trial.failedTasks()
                + " failed tasks, output "
                + (trial.validated() ? "right" : "missing or wrong"));
    out.flush();
  }

  /** Says what was measured. */
  static void result(PrintWriter out, TeraSortResult result) {
    Table arms =
        new Table(
            "setting",
            "arm",
            ">median",
            ">least",
            ">most",
            ">failed tasks",
            ">failed jobs",
            ">(user+sys)/real",
            ">temp at most",
            ">of it fast");
    for (ArmResult arm : result.arms()) {
      Sample seconds = arm.seconds();
      arms.row(
          arm.setting().name(),
          arm.arm().label(),
          seconds == null ? "-" : number(seconds.median(), 1),
          seconds == null ? "-" : number(seconds.min(), 1),
          seconds == null ? "-" : number(seconds.max(), 1),
          Integer.toString(arm.failedTasks()),
          arm.failedJobs() + " of " + arm.trials().size(),
          number(arm.mean(Trial::cpuPerReal), 2),
          Sizes.format(Math.round(arm.mean(Trial::peakTempBytes))),
          Sizes.format(Math.round(arm.mean(Trial::peakFastBytes))));
    }
    out.println();
    arms.lines("  ").forEach(out::println);
    out.println();
    for (Goal goal : TeraSortGoals.of(result)) {
      out.println("  " + goal.goal() + ": " + verdict(goal));
    }
    result.skipped().forEach(line -> out.println("  skipped: " + line));
    out.println();
    result.facts().forEach((what, value) -> out.println("  " + what + ": " + value));
  }

  /** The figure of a goal, and whether it is met. */
  static String verdict(Goal goal) {
    Double measured = goal.measured();
    return measured == null
        ? "not measured"
        : number(measured, goal.unit().equals("x") ? 3 : 0)
            + (goal.unit().equals("x") ? "x, " : " " + goal.unit() + ", ")
            + (goal.met() ? "met" : "NOT MET");
  }

  /** A number with so many digits behind the point. */
  static String number(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
