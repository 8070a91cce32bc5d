// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Placement;
import io.temptier.tier.journal.PlacementRecord;

/** The answer for programs. */
final class ExplainJson {
  private ExplainJson() {}

  static JsonNode of(Answer answer) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("question", answer.question().text());
    ArrayNode tiers = root.putArray("tiers");
    answer
        .sums()
        .forEach(
            (medium, sum) -> {
              ObjectNode tier = tiers.addObject();
              tier.put("medium", medium.toString());
              tier.put("files", sum.files());
              tier.put("bytes", sum.bytes());
            });
    ArrayNode files = root.putArray("files");
    answer.files().forEach(file -> files.add(of(file)));
    return root;
  }

  private static ObjectNode of(Explanation file) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("path", file.file().toString());
    node.put("exists", file.exists());
    LocalDir dir = file.dir();
    if (dir != null) {
      node.put("medium", dir.medium().toString());
      node.put("dir", dir.path().toString());
    }
    node.put("kind", file.kind().toString());
    if (file.exists()) {
      node.put("bytes", file.bytes());
    }
    node.put("recorded", file.record().isPresent());
    file.record().ifPresent(record -> node.set("decision", of(record)));
    if (!file.note().isEmpty()) {
      node.put("note", file.note());
    }
    return node;
  }

  private static ObjectNode of(PlacementRecord record) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("why", record.why());
    node.put("reason", record.reason().toString());
    node.put("medium", record.medium().toString());
    node.put("spilledDown", record.spilledDown());
    ArrayNode refusals = node.putArray("refusals");
    for (Placement.Refusal refusal : record.refusals()) {
      ObjectNode child = refusals.addObject();
      child.put("medium", refusal.medium().toString());
      child.put("reason", refusal.reason().toString());
      child.put("headroomBytes", refusal.headroomBytes());
    }
    node.put("expectedBytes", record.bytes());
    node.put("sizeKnown", record.sizeKnown());
    node.put("timeMillis", record.timeMillis());
    node.put("pid", record.pid());
    node.put("application", record.application());
    return node;
  }
}
