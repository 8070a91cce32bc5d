// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.report.Figures;
import io.temptier.bench.report.Goals;
import io.temptier.cli.report.Sample;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The result for programs. */
final class ExperimentJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ExperimentJson() {}

  static ObjectNode of(ExperimentResult result) {
    ExperimentPlan plan = result.plan();
    ObjectNode root = MAPPER.createObjectNode();
    root.put("experiment", plan.label());
    root.put("question", plan.question());
    ArrayNode arms = root.putArray("arms");
    result.arms().forEach(arm -> arm(arms.addObject(), arm, result));
    Goals.put(root.putArray("goals"), result.goals());
    plan.skipped().forEach(root.putArray("skipped")::add);
    ArrayNode trials = root.putArray("trials");
    result.trials().forEach(trial -> trial(trials.addObject(), trial, plan.runsJobs()));
    ObjectNode planned = root.putObject("plan");
    planned.put("command", plan.command()).put("rounds", plan.rounds());
    plan.describe(planned);
    root.set("facts", MAPPER.valueToTree(result.facts()));
    return root;
  }

  private static void arm(ObjectNode node, ArmResult arm, ExperimentResult result) {
    ExperimentPlan plan = result.plan();
    node.put("name", arm.arm().label()).put("setting", arm.setting());
    node.set("properties", MAPPER.valueToTree(arm.arm().properties()));
    Sample seconds = arm.seconds();
    ArrayNode all = node.putArray("seconds");
    arm.trials().stream()
        .filter(Trial::counts)
        .forEach(trial -> all.add(Figures.round(trial.seconds())));
    put(node, "medianSeconds", seconds, Sample::median);
    put(node, "minSeconds", seconds, Sample::min);
    put(node, "maxSeconds", seconds, Sample::max);
    Double ofFirst = result.ofFirst(arm);
    node.put("ofFirst", ofFirst == null ? null : Double.valueOf(Figures.round(ofFirst)));
    node.put("failedJobs", arm.failedJobs()).put("validated", arm.validated());
    if (plan.runsJobs()) {
      node.put("failedTasks", arm.failedTasks())
          .put("cpuPerReal", Figures.round(arm.mean(Trial::cpuPerReal)))
          .put("peakTempBytes", Math.round(arm.mean(Trial::peakTempBytes)))
          .put("peakFastBytes", Math.round(arm.mean(Trial::peakFastBytes)));
    }
    for (Figure figure : plan.figures()) {
      put(node, figure.name(), arm.figure(figure.name()), figure::of);
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

  private static void trial(ObjectNode node, Trial trial, boolean runsJobs) {
    node.put("setting", trial.id().setting())
        .put("round", trial.id().round())
        .put("arm", trial.id().arm().label())
        .put("state", trial.state())
        .put("validated", trial.validated())
        .put("seconds", Figures.round(trial.seconds()))
        .put("load", trial.load());
    node.set("figures", MAPPER.valueToTree(trial.outcome().figures()));
    if (!runsJobs) {
      return;
    }
    node.put("clientSeconds", Figures.round(trial.clientSeconds()))
        .put("failedTasks", trial.failedTasks())
        .put("cpuPerReal", Figures.round(trial.cpuPerReal()));
    ObjectNode read = node.putObject("readBytes");
    ObjectNode written = node.putObject("writtenBytes");
    trial.traffic().forEach((disk, done) -> read.put(disk, done.readBytes()));
    trial.traffic().forEach((disk, done) -> written.put(disk, done.writtenBytes()));
    node.set("counters", MAPPER.valueToTree(trial.outcome().counters()));
  }
}
