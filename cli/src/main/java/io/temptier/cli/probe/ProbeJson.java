// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.probe;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The result for programs. */
final class ProbeJson {
  private ProbeJson() {}

  /** The result as a tree; latencies are in microseconds. */
  static ObjectNode of(TierOrder order) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode dirs = root.putArray("dirs");
    for (ProbedDir dir : order.dirs()) {
      ObjectNode node = dirs.addObject();
      node.put("path", dir.path().toString())
          .put("tier", order.tierOf(dir))
          .put("medium", dir.medium().name())
          .put("kernel", dir.kernel().name())
          .put("why", dir.why());
      dir.tag().ifPresent(tag -> node.put("tag", tag.name()));
      node.putPOJO("profile", dir.profile());
    }
    root.put("localDirs", order.suggestion());
    order.warnings().forEach(root.putArray("warnings")::add);
    return root;
  }
}
