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

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.report.GoalJson;
import io.temptier.bench.report.Sample;

/** The result for programs. */
final class TeraSortJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final double DIGITS = 1e4;

  private TeraSortJson() {}

  /** The result as a tree. */
  static ObjectNode of(TeraSortResult result) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("experiment", result.plan().experiment().label());
    ArrayNode arms = root.putArray("arms");
    result.arms().forEach(arm -> arm(arms.addObject(), arm));
    GoalJson.put(root.putArray("goals"), TeraSortGoals.of(result));
    result.skipped().forEach(root.putArray("skipped")::add);
    ArrayNode trials = root.putArray("trials");
    result.trials().forEach(trial -> trial(trials.addObject(), trial));
    TeraSortPlan plan = result.plan();
    ObjectNode node = root.putObject("plan");
    node.put("rows", plan.rows())
        .put("rounds", plan.rounds())
        .put("inputBytes", plan.inputBytes())
        .put("tempBytes", plan.tempBytes())
        .put("readAheadBytes", plan.readAheadBytes())
        .put("blockBytes", plan.blockBytes())
        .put("maps", plan.maps())
        .put("reduces", plan.reduces())
        .put("deadlineSeconds", plan.deadlineSeconds());
    ObjectNode nodes = node.putObject("nodes");
    for (Setting setting : plan.experiment().settings()) {
      nodes.put(setting.name(), plan.node(setting).toString());
    }
    root.set("facts", MAPPER.valueToTree(result.facts()));
    return root;
  }

  private static void arm(ObjectNode node, ArmResult arm) {
    node.put("name", arm.arm().label()).put("setting", arm.setting().name());
    Sample seconds = arm.seconds();
    ArrayNode all = node.putArray("seconds");
    arm.trials().stream().filter(Trial::counts).forEach(trial -> all.add(round(trial.seconds())));
    if (seconds == null) {
      node.putNull("medianSeconds").putNull("minSeconds").putNull("maxSeconds");
    } else {
      node.put("medianSeconds", round(seconds.median()))
          .put("minSeconds", round(seconds.min()))
          .put("maxSeconds", round(seconds.max()));
    }
    node.put("failedTasks", arm.failedTasks())
        .put("failedJobs", arm.failedJobs())
        .put("validated", arm.validated())
        .put("cpuPerReal", round(arm.mean(Trial::cpuPerReal)))
        .put("peakTempBytes", Math.round(arm.mean(Trial::peakTempBytes)))
        .put("peakFastBytes", Math.round(arm.mean(Trial::peakFastBytes)));
  }

  private static void trial(ObjectNode node, Trial trial) {
    node.put("setting", trial.id().setting())
        .put("round", trial.id().round())
        .put("arm", trial.id().arm().label())
        .put("state", trial.state())
        .put("validated", trial.validated())
        .put("seconds", round(trial.seconds()))
        .put("clientSeconds", round(trial.clientSeconds()))
        .put("failedTasks", trial.failedTasks())
        .put("cpuPerReal", round(trial.cpuPerReal()))
        .put("load", trial.load());
    node.set("readBytes", MAPPER.valueToTree(trial.read()));
    node.set("writtenBytes", MAPPER.valueToTree(trial.written()));
    node.set("counters", MAPPER.valueToTree(trial.counters()));
  }

  private static double round(double value) {
    return Math.round(value * DIGITS) / DIGITS;
  }
}
