// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.auto.value.AutoValue;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.lang.Immutable;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What {@code explain} has to say. */
@AutoValue
abstract class Answer {
  abstract Question question();

  abstract List<Explanation> files();

  static Answer of(Question question, List<Explanation> files) {
    return new AutoValue_Answer(question, files);
  }

  /** Sums of one tier. */
  @AutoValue
  abstract static class Sum {
    abstract Medium medium();

    abstract long files();

    abstract long bytes();

    static Sum of(Medium medium, long files, long bytes) {
      return new AutoValue_Answer_Sum(medium, files, bytes);
    }

    private Sum plus(Sum other) {
      return Sum.of(medium(), files() + other.files(), bytes() + other.bytes());
    }
  }

  /** Sums of the files that are there, one for each tier, fastest first. */
  List<Sum> sums() {
    Map<Medium, Sum> sums = new EnumMap<>(Medium.class);
    for (Explanation file : files()) {
      LocalDir dir = file.dir();
      if (dir != null && file.exists()) {
        sums.merge(dir.medium(), Sum.of(dir.medium(), 1, file.bytes()), Sum::plus);
      }
    }
    return Immutable.listFrom(sums.values());
  }

  /** The same for programs. */
  JsonNode json() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("question", question().text()).putPOJO("tiers", sums());
    root.putArray("files")
        .addAll(files().stream().map(Explanation::json).collect(Immutable.toList()));
    return root;
  }
}
