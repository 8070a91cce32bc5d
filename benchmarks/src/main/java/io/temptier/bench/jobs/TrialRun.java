// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import io.temptier.bench.experiment.TrialId;
import io.temptier.lab.cluster.HadoopCluster;
import java.util.HashMap;
import java.util.Map;

/**
 * What a workload has to run on in one trial.
 *
 * @param output a path of HDFS for this trial alone; all that begins with it is deleted afterwards
 * @param jobs runs programs on it, and kills what takes too long
 */
public record TrialRun(
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
