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
package io.temptier.bench.simulate;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The result for programs. */
final class SimulateJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private SimulateJson() {}

  /**
   * The result as a tree: at the top the first policy's, below it all of them.
   *
   * @param policies at least one
   */
  static ObjectNode of(List<PolicyResult> policies, String command) {
    ObjectNode root = MAPPER.createObjectNode();
    ClusterModel model = policies.get(0).model();
    SimulationResult result = policies.get(0).result();
    root.put("command", command)
        .put("nodes", model.nodes())
        .put("containers", model.containers())
        .put("policy", policies.get(0).name())
        .put("jobs", result.jobs())
        .put("tasks", result.tasks())
        .put("days", result.days());
    SimulationResult.NodeBytes bytes = result.nodeBytes();
    root.putObject("nodeTempBytes")
        .put("p50", bytes.p50())
        .put("p95", bytes.p95())
        .put("p99", bytes.p99())
        .put("max", bytes.max());
    sizes(root, result);
    ArrayNode kinds = root.putArray("kinds");
    for (KindUse use : result.kinds()) {
      kinds
          .addObject()
          .put("kind", use.kind().name())
          .put("files", use.files())
          .put("bytes", use.bytes())
          .put("minutes", use.minutes())
          .put("hddMillisOfAMib", use.millisOfAMib())
          .put("hddMillisOfAMibMinute", use.millisOfAMibMinute());
    }
    ArrayNode all = root.putArray("policies");
    for (PolicyResult policy : policies) {
      sizes(all.addObject().put("policy", policy.name()), policy.result());
    }
    return root;
  }

  private static void sizes(ObjectNode parent, SimulationResult result) {
    ArrayNode sizes = parent.putArray("sizes");
    for (SizeResult size : result.sizes()) {
      sizes
          .addObject()
          .put("fastBytes", size.fastBytes())
          .put("recommended", result.recommends(size))
          .put("hitShare", size.hitShare())
          .put("placedBytes", size.placedBytes())
          .put("spilledBytes", size.spilledBytes())
          .put("demotedBytes", size.demotedBytes())
          .put("jobsWhollyFastShare", size.whollyFastShare())
          .put("bytesPerDay", size.bytesPerDay())
          .put("driveWritesPerDay", size.driveWritesPerDay())
          .put("hddSeconds", size.hdds().seconds())
          .put("hddLoadP95", size.hdds().p95());
    }
    result
        .recommended()
        .ifPresentOrElse(
            size -> parent.put("recommendedBytes", size.fastBytes()),
            () -> parent.putNull("recommendedBytes"));
  }
}
