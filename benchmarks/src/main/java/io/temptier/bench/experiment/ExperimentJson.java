// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.report.Figures;
import io.temptier.bench.report.GoalJson;
import io.temptier.cli.report.Sample;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The result for programs. */
final class ExperimentJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ExperimentJson() {}

  /** The result as a tree. */
  static ObjectNode of(ExperimentResult result) {
    ExperimentPlan plan = result.plan();
    ObjectNode root = MAPPER.createObjectNode();
    root.put("experiment", plan.experiment().label());
    root.put("question", plan.experiment().question());
    ArrayNode arms = root.putArray("arms");
    result.arms().forEach(arm -> arm(arms.addObject(), arm, plan));
    GoalJson.put(root.putArray("goals"), result.goals());
    plan.skipped().forEach(root.putArray("skipped")::add);
    ArrayNode trials = root.putArray("trials");
    result.trials().forEach(trial -> trial(trials.addObject(), trial));
    plan(root.putObject("plan"), plan);
    root.set("facts", MAPPER.valueToTree(result.facts()));
    return root;
  }

  private static void plan(ObjectNode node, ExperimentPlan plan) {
    Workload workload = plan.workload();
    node.put("command", workload.command());
    node.set("workload", MAPPER.valueToTree(workload));
    node.put("rounds", plan.rounds())
        .put("inputBytes", workload.inputBytes())
        .put("tempBytes", workload.tempBytes())
        .put("readAheadBytes", plan.readAheadBytes())
        .put("deadlineSeconds", plan.deadlineSeconds());
    ObjectNode nodes = node.putObject("nodes");
    ObjectNode fastBytes = node.putObject("fastBytes");
    for (Setting setting : plan.experiment().settings()) {
      if (plan.site().emulated() || !setting.fits()) {
        fastBytes.put(setting.name(), plan.fastBytes(setting));
      }
      nodes.put(setting.name(), workload.title(setting) + "; " + plan.description(setting));
    }
  }

  private static void arm(ObjectNode node, ArmResult arm, ExperimentPlan plan) {
    node.put("name", arm.arm().label()).put("setting", arm.setting().name());
    node.set("properties", MAPPER.valueToTree(arm.arm().properties()));
    Sample seconds = arm.seconds();
    ArrayNode all = node.putArray("seconds");
    arm.trials().stream()
        .filter(Trial::counts)
        .forEach(trial -> all.add(Figures.round(trial.seconds())));
    put(node, "medianSeconds", seconds, Sample::median);
    put(node, "minSeconds", seconds, Sample::min);
    put(node, "maxSeconds", seconds, Sample::max);
    node.put("failedTasks", arm.failedTasks())
        .put("failedJobs", arm.failedJobs())
        .put("validated", arm.validated())
        .put("cpuPerReal", Figures.round(arm.mean(Trial::cpuPerReal)))
        .put("peakTempBytes", Math.round(arm.mean(Trial::peakTempBytes)))
        .put("peakFastBytes", Math.round(arm.mean(Trial::peakFastBytes)));
    for (Figure figure : plan.workload().figures()) {
      put(node, figure.name(), arm.figure(figure.name()), Sample::median);
    }
  }

  /** Null where nothing was measured. */
  private static void put(
      ObjectNode node, String name, @Nullable Sample sample, ToDoubleFunction<Sample> figure) {
    if (sample == null) {
      node.putNull(name);
    } else {
      node.put(name, Figures.round(figure.applyAsDouble(sample)));
    }
  }

  private static void trial(ObjectNode node, Trial trial) {
    node.put("setting", trial.id().setting())
        .put("round", trial.id().round())
        .put("arm", trial.id().arm().label())
        .put("state", trial.state())
        .put("validated", trial.validated())
        .put("seconds", Figures.round(trial.seconds()))
        .put("clientSeconds", Figures.round(trial.clientSeconds()))
        .put("failedTasks", trial.failedTasks())
        .put("cpuPerReal", Figures.round(trial.cpuPerReal()))
        .put("load", trial.load());
    ObjectNode read = node.putObject("readBytes");
    ObjectNode written = node.putObject("writtenBytes");
    trial.traffic().forEach((disk, done) -> read.put(disk, done.readBytes()));
    trial.traffic().forEach((disk, done) -> written.put(disk, done.writtenBytes()));
    node.set("counters", MAPPER.valueToTree(trial.outcome().counters()));
    node.set("figures", MAPPER.valueToTree(trial.outcome().figures()));
  }
}
