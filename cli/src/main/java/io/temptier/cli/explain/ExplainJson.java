// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.tier.LocalDir;
import io.temptier.tier.journal.PlacementRecord;

/** The answer for programs. */
final class ExplainJson {
  private ExplainJson() {}

  static JsonNode of(Answer answer) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("question", answer.question().text());
    root.putPOJO("tiers", answer.sums());
    ArrayNode files = root.putArray("files");
    answer.files().forEach(file -> files.add(of(file)));
    return root;
  }

  private static ObjectNode of(Explanation file) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("path", file.file().toString()).put("exists", file.exists());
    LocalDir dir = file.dir();
    if (dir != null) {
      node.put("medium", dir.medium().name()).put("dir", dir.path().toString());
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
    node.put("why", record.why())
        .put("reason", record.reason().name())
        .put("medium", record.medium().name())
        .put("spilledDown", record.spilledDown());
    node.putPOJO("refusals", record.refusals());
    return node.put("expectedBytes", record.bytes())
        .put("sizeKnown", record.sizeKnown())
        .put("timeMillis", record.timeMillis())
        .put("pid", record.pid())
        .put("application", record.application());
  }
}
