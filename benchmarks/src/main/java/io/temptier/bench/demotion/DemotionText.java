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
package io.temptier.bench.demotion;

import io.temptier.bench.report.Figures;
import io.temptier.cli.Table;
import io.temptier.cli.report.Sample;
import io.temptier.tier.Sizes;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;

/** What the command prints. */
final class DemotionText {
  private DemotionText() {}

  /** Says beforehand what is going to be done. */
  static void plan(PrintWriter out, DemotionPlan plan, Map<String, String> disks) {
    out.printf(
        Locale.ROOT,
        "TeraSort of %s on a cluster of one node, %d times with demotion and without, in turn.%n",
        Sizes.format(plan.inputBytes()),
        plan.rounds());
    out.printf(
        Locale.ROOT,
        "The fast disk has %s. Demotion starts at %d %% and stops at %d %%; without it the job"
            + " fits, so that%nonly what demotion costs is seen, not what it brings.%n",
        Sizes.format(plan.fastBytes()),
        DemotionPlan.HIGH_PERCENT,
        DemotionPlan.LOW_PERCENT);
    disks.forEach((name, disk) -> out.println("  " + name + ": " + disk));
    out.println();
    out.flush();
  }

  /** Says what was measured. */
  static void result(PrintWriter out, DemotionResult result) {
    Table trials =
        new Table("demotion", ">seconds", ">demoted", ">files", ">fast disk at most", ">spilled");
    for (Trial trial : result.trials()) {
      trials.row(
          trial.demotion() ? "on" : "off",
          Figures.text(trial.seconds(), 1),
          Sizes.format(trial.bytesDemoted()),
          Long.toString(trial.filesDemoted()),
          Figures.text(100 * trial.peakFill(), 0) + " %",
          Sizes.format(trial.spilledBytes()));
    }
    trials.lines("  ").forEach(out::println);
    out.println();
    for (boolean demotion : new boolean[] {false, true}) {
      Sample seconds = result.seconds(demotion);
      out.printf(
          Locale.ROOT,
          "Demotion %-3s median %.1f s, from %.1f to %.1f s%n",
          demotion ? "on" : "off",
          seconds.median(),
          seconds.min(),
          seconds.max());
    }
    out.println(
        "Ratio of the medians "
            + Figures.text(result.ratio(), 3)
            + ", goal at most "
            + Figures.text(DemotionResult.GOAL, 2)
            + ": "
            + result
                .invalid()
                .map(why -> "INVALID, " + why)
                .orElse(result.met() ? "met" : "NOT MET"));
    out.println();
    result.facts().forEach((what, value) -> out.println("  " + what + ": " + value));
  }
}
