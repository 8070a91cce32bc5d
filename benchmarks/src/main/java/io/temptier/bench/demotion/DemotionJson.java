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

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.report.Figures;
import io.temptier.cli.report.Sample;

/** The result for programs. */
final class DemotionJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private DemotionJson() {}

  /** The result as a tree. */
  static ObjectNode of(DemotionResult result) {
    ObjectNode root = MAPPER.createObjectNode();
    ArrayNode arms = root.putArray("arms");
    arm(arms.addObject(), "demotion-off", result.seconds(false));
    arm(arms.addObject(), "demotion-on", result.seconds(true));
    ObjectNode goal =
        root.putArray("goals")
            .addObject()
            .put("id", "demotion-cost")
            .put("goal", "demotion slows a running job by at most 5 %")
            .put("unit", "x")
            .put("measured", Figures.round(result.ratio()));
    result
        .invalid()
        .ifPresentOrElse(
            why -> goal.putNull("met").put("invalid", why), () -> goal.put("met", result.met()));
    ArrayNode trials = root.putArray("trials");
    for (Trial trial : result.trials()) {
      trials
          .addObject()
          .put("demotion", trial.demotion())
          .put("seconds", Figures.round(trial.seconds()))
          .put("bytesDemoted", trial.bytesDemoted())
          .put("filesDemoted", trial.filesDemoted())
          .put("peakFill", Figures.round(trial.peakFill()))
          .put("spilledBytes", trial.spilledBytes());
    }
    DemotionPlan plan = result.plan();
    root.putObject("plan")
        .put("rows", plan.rows())
        .put("rounds", plan.rounds())
        .put("inputBytes", plan.inputBytes())
        .put("fastBytes", plan.fastBytes())
        .put("highPercent", DemotionPlan.HIGH_PERCENT)
        .put("lowPercent", DemotionPlan.LOW_PERCENT);
    root.set("disks", MAPPER.valueToTree(result.disks()));
    root.set("facts", MAPPER.valueToTree(result.facts()));
    return root;
  }

  private static void arm(ObjectNode node, String name, Sample seconds) {
    node.put("name", name)
        .put("medianSeconds", Figures.round(seconds.median()))
        .put("minSeconds", Figures.round(seconds.min()))
        .put("maxSeconds", Figures.round(seconds.max()));
  }
}
