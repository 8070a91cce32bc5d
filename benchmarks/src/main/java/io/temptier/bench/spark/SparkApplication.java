// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.spark;

import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.jobs.Jobs;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.jobs.TrialRun;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.PseudoCluster;
import io.temptier.lab.cluster.SparkResult;
import io.temptier.lab.cluster.SparkRuntime;
import io.temptier.lab.cluster.SparkSite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is submitted for a trial: {@link io.temptier.lab.spark.SparkWork}.
 *
 * @param rows that each step makes, where it makes any
 * @param steps what it does, in that order
 */
record SparkApplication(int rows, List<String> steps) {
  /** Partitions that rows are made in. */
  static final int MAPS = 6;

  private static final int REDUCES = 4;

  /** Beside what Spark needs of memory apart from its heap, as much as a task of MapReduce has. */
  private static final int EXECUTOR_MIB = 768;

  SparkApplication {
    steps = List.copyOf(steps);
  }

  /** Has the node serve Spark's shuffles. */
  static void configure(ClusterSpec.Builder spec) {
    try {
      SparkRuntime.locate().configure(spec);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Seconds of a step. */
  static Figure figure(String step) {
    return new Figure(name(step) + "Seconds", name(step) + ", s");
  }

  /** Without what the step is given. */
  private static String name(String step) {
    return step.split(":", -1)[0];
  }

  /** Runs it as a trial of its arm. */
  TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
    SparkResult result =
        submit(trial.jobs(), trial.id().arm().tiered(), trial.setting(), trial.output());
    Map<String, Double> figures = new HashMap<>();
    result.steps().forEach(step -> figures.put(figure(step.name()).name(), step.millis() / 1e3));
    return new TrialOutcome(
        result.succeeded(),
        result.succeeded() ? TrialOutcome.FINE : "EXIT CODE " + result.exitCode(),
        result.seconds(),
        (int) result.tasks().failed(),
        result.tasks().cpuMillis() / 1e3,
        Map.of(),
        figures);
  }

  /**
   * Runs it.
   *
   * @param tiered whether it has TempTier's plugin
   * @param report where it reports, in HDFS
   */
  SparkResult submit(Jobs jobs, boolean tiered, NodeSetting setting, String report)
      throws IOException, InterruptedException {
    SparkSite spark = new SparkSite((PseudoCluster) jobs.cluster(), SparkRuntime.locate());
    Map<String, String> conf = tiered ? spark.tiered() : new HashMap<>();
    conf.put("spark.executor.instances", Integer.toString(setting.tasks()));
    conf.put("spark.executor.memory", EXECUTOR_MIB + "m");
    List<String> work = new ArrayList<>();
    for (int number : List.of(MAPS, rows / MAPS, REDUCES)) {
      work.add(Integer.toString(number));
    }
    work.addAll(steps);
    return spark.run(report, work, conf, jobs.deadlineSeconds(), line -> {});
  }
}
