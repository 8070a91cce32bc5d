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
package io.temptier.bench.experiment;

import io.temptier.bench.cluster.HadoopCluster;
import java.util.HashMap;
import java.util.Map;

/**
 * What a workload has to run on in one trial.
 *
 * @param setting the node's
 * @param id which trial
 * @param armProperties what a job of the arm has to be told
 * @param output a path of HDFS for this trial alone; all that begins with it is deleted afterwards
 * @param cluster the cluster
 * @param jobs runs programs on it, and kills what takes too long
 */
public record TrialRun(
    Setting setting,
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
