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
package io.temptier.cli.probe;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The result for programs. */
final class ProbeJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ProbeJson() {}

  /** The result as a tree; latencies are in microseconds. */
  static ObjectNode of(TierOrder order) {
    ObjectNode root = MAPPER.createObjectNode();
    ArrayNode dirs = root.putArray("dirs");
    for (int tier = 0; tier < order.tiers().size(); tier++) {
      for (ProbedDir dir : order.tiers().get(tier)) {
        ObjectNode node = dirs.addObject();
        node.put("path", dir.path().toString())
            .put("tier", tier + 1)
            .put("medium", dir.medium().name())
            .put("kernel", dir.kernel().name())
            .put("why", dir.why());
        dir.tag().ifPresent(tag -> node.put("tag", tag.name()));
        node.set("profile", MAPPER.valueToTree(dir.profile()));
      }
    }
    root.put("localDirs", order.suggestion());
    order.warnings().forEach(root.putArray("warnings")::add);
    return root;
  }
}
