// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.auto.value.AutoValue;
import io.temptier.tier.Medium;
import io.temptier.tier.lang.Immutable;
import java.util.EnumMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** What {@code explain} has to say. */
@AutoValue
abstract class Answer {
  abstract Question question();

  abstract List<Explanation> files();

  static Answer of(Question question, List<Explanation> files) {
    return new AutoValue_Answer(question, files);
  }

  /** Sums of the files that are there, one for each tier, fastest first. */
  Map<Medium, LongSummaryStatistics> sums() {
    return files().stream()
        .filter(file -> file.dir() != null && file.exists())
        .collect(
            Collectors.groupingBy(
                file -> Objects.requireNonNull(file.dir()).medium(),
                () -> new EnumMap<>(Medium.class),
                Collectors.summarizingLong(Explanation::bytes)));
  }

  /** The same for programs. */
  JsonNode json() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode tiers = root.put("question", question().text()).putArray("tiers");
    sums()
        .forEach(
            (medium, sum) ->
                tiers
                    .addObject()
                    .put("medium", medium.name())
                    .put("files", sum.getCount())
                    .put("bytes", sum.getSum()));
    root.putArray("files")
        .addAll(files().stream().map(Explanation::json).collect(Immutable.toList()));
    return root;
  }
}
