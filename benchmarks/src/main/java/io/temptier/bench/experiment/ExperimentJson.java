// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.experiment.Figure.Sample;
import io.temptier.bench.report.Figures;
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
    Map<String, Object> planned = new LinkedHashMap<>();
    planned.put("rounds", plan.rounds());
    planned.put("workload", plan.workload());
    planned.put("bounds", plan.experiment().bounds());
    Map<String, String> settings = new LinkedHashMap<>();
    plan.settings().forEach(setting -> settings.put(setting, plan.description(setting)));
    planned.put("settings", settings);
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("experiment", plan.label());
    root.put("question", plan.experiment().question());
    root.put("arms", result.arms().stream().map(arm -> arm(arm, result)).toList());
    root.put("goals", result.goals());
    root.put("skipped", plan.skipped());
    boolean jobs = plan.workload().runsJobs();
    root.put("trials", result.trials().stream().map(trial -> trial(trial, jobs)).toList());
    root.put("plan", planned);
    root.put("facts", result.facts());
    return MAPPER.valueToTree(root);
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
    node.put("medianSeconds", rounded(seconds.median()));
    node.put("minSeconds", rounded(seconds.min()));
    node.put("maxSeconds", rounded(seconds.max()));
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
      node.put(figure.name(), rounded(figure.of(arm.figure(figure.name()))));
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

  private static @Nullable Double rounded(double value) {
    return Double.isNaN(value) ? null : Double.valueOf(Figures.round(value));
  }
}
