// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.s3a;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.report.Figures;
import io.temptier.bench.report.GoalJson;

/** The result for programs. */
final class S3aJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private S3aJson() {}

  /** The result as a tree. */
  static ObjectNode of(S3aResult result) {
    ObjectNode root = MAPPER.createObjectNode();
    ArrayNode arms = root.putArray("arms");
    result.arms().forEach(arm -> put(arms.addObject(), arm));
    GoalJson.put(root.putArray("goals"), result.goals());
    result.remarks().forEach(root.putArray("remarks")::add);
    S3aPlan plan = result.plan();
    ObjectNode planned = root.putObject("plan");
    planned.put("rounds", plan.rounds()).put("quick", plan.quick());
    planned.put("objectMib", plan.objectMib()).put("rows", plan.rows());
    ObjectNode counts = planned.putObject("counts");
    plan.patterns().forEach(pattern -> counts.put(pattern.label(), plan.count(pattern)));
    root.set("facts", MAPPER.valueToTree(result.facts()));
    return root;
  }

  private static void put(ObjectNode node, Arm arm) {
    node.put("name", arm.name());
    node.put("hadoop", arm.hadoop());
    node.put("pattern", arm.pattern().label());
    ArrayNode seconds = node.putArray("seconds");
    arm.rounds().forEach(round -> seconds.add(Figures.round(round.seconds())));
    node.put("medianSeconds", Figures.round(arm.medianSeconds()));
    node.put("mbPerSecond", Figures.round(arm.mbPerSecond()));
    if (arm.storeBytes() > 0) {
      node.put("bytesFromStore", arm.storeBytes());
    }
    if (arm.requests() > 0) {
      node.put("requests", arm.requests());
    }
  }
}
