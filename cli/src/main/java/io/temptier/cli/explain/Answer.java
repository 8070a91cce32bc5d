// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What {@code explain} has to say. */
record Answer(Question question, List<Explanation> files) {
  /** Sums of one tier. */
  record Sum(Medium medium, long files, long bytes) {
    private Sum plus(Sum other) {
      return new Sum(medium, files + other.files, bytes + other.bytes);
    }
  }

  /** Sums of the files that are there, one for each tier, fastest first. */
  List<Sum> sums() {
    Map<Medium, Sum> sums = new EnumMap<>(Medium.class);
    for (Explanation file : files) {
      LocalDir dir = file.dir();
      if (dir != null && file.exists()) {
        sums.merge(dir.medium(), new Sum(dir.medium(), 1, file.bytes()), Sum::plus);
      }
    }
    return List.copyOf(sums.values());
  }

  /** The same for programs. */
  JsonNode json() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("question", question.text()).putPOJO("tiers", sums());
    root.putArray("files").addAll(files.stream().map(Explanation::json).toList());
    return root;
  }
}
