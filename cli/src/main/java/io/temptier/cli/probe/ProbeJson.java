// SPDX-License-Identifier: Apache-2.0
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
