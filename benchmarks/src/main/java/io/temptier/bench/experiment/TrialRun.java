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

import io.temptier.bench.cluster.ClusterSpec;
import io.temptier.bench.cluster.PseudoCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a workload has to run on in one trial: the NodeManager has been started with the arm's local
 * dirs.
 *
 * @param setting the node's
 * @param id which trial
 * @param dirs the arm's local dirs, absolute
 * @param output a path of HDFS for this trial alone; all that begins with it is deleted afterwards
 * @param cluster the cluster
 * @param jobs runs programs on it, and kills what takes too long
 */
public record TrialRun(
    Setting setting,
    TrialId id,
    List<ClusterSpec.Dir> dirs,
    String output,
    PseudoCluster cluster,
    Jobs jobs) {
  public TrialRun {
    dirs = List.copyOf(dirs);
  }

  /**
   * The properties of a job in this arm: the given ones, and what switches TempTier on where the
   * arm has it.
   */
  public Map<String, String> properties(Map<String, String> own) {
    Map<String, String> properties = new HashMap<>(own);
    if (id.arm().tiered()) {
      properties.putAll(PseudoCluster.tieredJob(dirs));
    }
    return properties;
  }
}
