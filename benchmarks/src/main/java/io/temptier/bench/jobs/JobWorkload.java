// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.TrialId;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.report.Goal;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopCluster;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The work that an experiment measures. Implemented by records, since a run's plan is kept as JSON:
 * components are numbers, texts and records of such. What is reckoned beforehand makes the disks'
 * sizes; too little, and HDFS or the fast disk are full.
 */
public interface JobWorkload {
  String title(NodeSetting setting);

  /**
   * The bytes of its data, without replicas.
   *
   * @param input in HDFS before and between trials
   * @param hdfs the most in HDFS at once, input included
   */
  record Volume(long input, long hdfs, long temp) {
    /**
     * Of a sort: input, output and checksums in HDFS; map outputs, and beside them what reducers
     * fetched or merged.
     */
    public static Volume ofSort(long input) {
      return new Volume(input, (long) (input * 2.2), (long) (input * 2.1));
    }
  }

  /**
   * What a workload has to run on in one trial.
   *
   * @param output a path of HDFS for this trial alone; all that begins with it is deleted
   *     afterwards
   * @param jobs runs programs on it, and kills what takes too long
   */
  record TrialRun(
      NodeSetting setting,
      TrialId id,
      Map<String, String> armProperties,
      String output,
      HadoopCluster cluster,
      Jobs jobs) {
    public TrialRun {
      armProperties = Map.copyOf(armProperties);
    }

    /** The properties of a job in this arm: the given ones and the arm's. */
    public Map<String, String> properties(Map<String, String> own) {
      Map<String, String> properties = new HashMap<>(own);
      properties.putAll(armProperties);
      return properties;
    }
  }

  Volume volume();

  default long inputBytes() {
    return volume().input();
  }

  default long hdfsBytes() {
    return volume().hdfs();
  }

  default long tempBytes() {
    return volume().temp();
  }

  /** HDFS's block on a node; of any size where no file is split. */
  default long blockBytes(NodeSetting setting) {
    return 64L << 20;
  }

  /** How often each arm is run; more often where arms differ by little. */
  default int rounds() {
    return 3;
  }

  /** What it measures beside seconds, in the order to show it. */
  default List<Figure> figures() {
    return List.of();
  }

  /**
   * Whether a cluster will do that others use, too, that {@link #configure} has not changed, and on
   * whose nodes no program of ours lies.
   */
  default boolean anyCluster() {
    return false;
  }

  /** Changes the cluster before it is started, such as its scheduler. */
  default void configure(ClusterSpec.Builder spec, NodeSetting setting) {}

  /** By what HDDs are calibrated for it: short, and its input is not what this one has. */
  default JobWorkload baseline() {
    return this;
  }

  /** Makes its input, once for all trials on a cluster, on disks that are not slow. */
  void prepare(NodeSetting setting, Jobs jobs) throws IOException, InterruptedException;

  /**
   * Runs what is measured, on slow disks with a cold page cache.
   *
   * @return also when jobs failed
   */
  TrialOutcome run(TrialRun trial) throws IOException, InterruptedException;

  /**
   * Adds to what came of the jobs what the node can tell of them. Called before its NodeManager
   * ends, and not on a cluster of the user's.
   *
   * @param fill the most that the fast disk was filled, 0 to 1
   */
  default TrialOutcome judge(TrialRun trial, TrialOutcome outcome, double fill) throws IOException {
    return outcome;
  }

  /** Whether the output is right. Called after jobs that succeeded, on disks that are not slow. */
  boolean validate(TrialRun trial) throws IOException, InterruptedException;

  List<Goal> goals(ExperimentResult result);
}
