// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.plan.SimulationResult.SizeResult;

/** The result for programs. */
final class PlanJson {
  private PlanJson() {}

  static ObjectNode of(ClusterModel model, SimulationResult result, String command) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("command", command)
        .put("nodes", model.nodes())
        .put("containers", model.containers())
        .put("policy", model.settings().policy().name())
        .put("jobs", result.jobs())
        .put("tasks", result.tasks())
        .put("fromMillis", result.fromMillis())
        .put("days", result.days())
        .put("presentBytes", model.presentSize())
        .put("tooLittleData", result.saysTooLittle());
    root.putPOJO("nodeTempBytes", result.nodeBytes());
    ArrayNode sizes = root.putArray("sizes");
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
          .put("driveWritesPerDay", size.driveWritesPerDay());
    }
    root.put("recommendedBytes", result.recommended().map(SizeResult::fastBytes).orElse(null));
    return root;
  }
}
