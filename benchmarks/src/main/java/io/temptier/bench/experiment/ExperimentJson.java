// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.report.Figures;
import io.temptier.bench.report.Goal;
import io.temptier.bench.report.Sample;
import io.temptier.lab.testbed.DiskTraffic;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The result for programs. */
public final class ExperimentJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ExperimentJson() {}

  public static ObjectNode of(ExperimentResult result) {
    Plan plan = result.plan();
    ObjectNode root = MAPPER.createObjectNode();
    root.put("experiment", plan.label()).put("question", plan.experiment().question());
    ArrayNode arms = root.putArray("arms");
    result.arms().forEach(arm -> arms.add(MAPPER.<JsonNode>valueToTree(arm(arm, result))));
    Goal.put(root.putArray("goals"), result.goals());
    plan.skipped().forEach(root.putArray("skipped")::add);
    ArrayNode trials = root.putArray("trials");
    result.trials().stream()
        .map(trial -> trial(trial, plan.workload().runsJobs()))
        .forEach(trial -> trials.add(MAPPER.<JsonNode>valueToTree(trial)));
    ObjectNode planned = root.putObject("plan");
    planned.put("rounds", plan.rounds());
    planned.set("workload", MAPPER.valueToTree(plan.workload()));
    planned.set("bounds", MAPPER.valueToTree(plan.experiment().bounds()));
    ObjectNode settings = planned.putObject("settings");
    plan.settings().forEach(setting -> settings.put(setting, plan.description(setting)));
    root.set("facts", MAPPER.valueToTree(result.facts()));
    return root;
  }

  private static Map<String, @Nullable Object> arm(ArmResult arm, ExperimentResult result) {
    Plan plan = result.plan();
    Sample seconds = arm.figure(Figure.SECONDS.name());
    Map<String, @Nullable Object> node = new LinkedHashMap<>();
    node.put("name", arm.arm().label());
    node.put("setting", arm.setting());
    node.put("properties", arm.arm().properties());
    node.put(
        "seconds",
        arm.trials().stream().filter(Trial::counts).map(one -> rounded(one.seconds())).toList());
    node.put("medianSeconds", seconds == null ? null : rounded(seconds.median()));
    node.put("minSeconds", seconds == null ? null : rounded(seconds.min()));
    node.put("maxSeconds", seconds == null ? null : rounded(seconds.max()));
    node.put("ofFirst", rounded(result.ofFirst(arm)));
    node.put("failedJobs", arm.failedJobs());
    node.put("validated", arm.validated());
    if (plan.workload().runsJobs()) {
      node.put("failedTasks", arm.failedTasks());
      node.put("cpuPerReal", rounded(arm.mean(Trial::cpuPerReal)));
      node.put("peakTempBytes", Math.round(arm.mean(Trial::peakTempBytes)));
      node.put("peakFastBytes", Math.round(arm.mean(Trial::peakFastBytes)));
    }
    for (Figure figure : plan.figures()) {
      Sample values = arm.figure(figure.name());
      node.put(figure.name(), values == null ? null : rounded(figure.of(values)));
    }
    return node;
  }

  private static Map<String, @Nullable Object> trial(Trial trial, boolean runsJobs) {
    Map<String, @Nullable Object> node = new LinkedHashMap<>();
    node.put("setting", trial.id().setting());
    node.put("round", trial.id().round());
    node.put("arm", trial.id().arm().label());
    node.put("state", trial.state());
    node.put("validated", trial.validated());
    node.put("seconds", rounded(trial.seconds()));
    node.put("load", trial.load());
    node.put("figures", trial.outcome().figures());
    if (runsJobs) {
      node.put("clientSeconds", rounded(trial.clientSeconds()));
      node.put("failedTasks", trial.failedTasks());
      node.put("cpuPerReal", rounded(trial.cpuPerReal()));
      node.put("readBytes", byDisk(trial, DiskTraffic::readBytes));
      node.put("writtenBytes", byDisk(trial, DiskTraffic::writtenBytes));
      node.put("counters", trial.outcome().counters());
    }
    return node;
  }

  private static Map<String, Long> byDisk(Trial trial, Function<DiskTraffic, Long> bytes) {
    Map<String, Long> byDisk = new TreeMap<>();
    trial.traffic().forEach((disk, done) -> byDisk.put(disk, bytes.apply(done)));
    return byDisk;
  }

  private static @Nullable Double rounded(@Nullable Double value) {
    return value == null ? null : Double.valueOf(Figures.round(value));
  }
}
