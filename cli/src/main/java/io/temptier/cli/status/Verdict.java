// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.Words;
import io.temptier.cli.status.NodeStatus.Trouble;
import io.temptier.hadoop.metrics.Metric;
import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.shuffle.demotion.DemotionCounter;
import io.temptier.tier.text.Sizes;
import io.temptier.tier.text.TextTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The one judge of a node: {@code status} of nodes, and the report, say what it found. Its words
 * are the table {@code verdicts.txt}, whose head explains the columns.
 */
final class Verdict {
  private static final Map<String, List<String>> ROWS =
      TextTable.byName(Verdict.class, "verdicts.txt", 4);

  /** Counts of each noun, such as {@code dir failed}, by how bad it is. */
  private final Map<Trouble, Map<String, Long>> counts = new EnumMap<>(Trouble.class);

  private final List<String> details = new ArrayList<>();
  private final NodeStatus status;
  private long errors;

  Verdict(NodeStatus status) {
    this.status = status;
    JsonNode node = status.tree("node");
    status.tree("tiers").forEach(tier -> errors(tier, TierCounter.DIR_ERRORS));
    errors(node, TierCounter.STOCK_FALLBACKS);
    errors(node, TierCounter.UPKEEP_ERRORS);
    errors(node, TierCounter.JOURNAL_LINES_DROPPED);
    errors(status.tree("shuffle").path("demotion"), DemotionCounter.DEMOTION_FAILURES);
    yarn(status.tree("yarn"));
    if (status.active()) {
      dirs(node);
      tasks(node);
      metric("warning", node, TierCounter.ROOTS_RESTORED);
      metric("warning", node, TierCounter.JOURNAL_LINES_IGNORED);
      note("finding", status.findings("WARNING").size());
    }
  }

  /** Adds the worst trouble, what there is in few words, errors since the start, and what to do. */
  void addTo(ObjectNode json) {
    Trouble worst = counts.keySet().stream().findFirst().orElse(Trouble.FINE);
    json.put("trouble", (status.active() ? worst : Trouble.STOCK).name())
        .put("what", status.active() ? brief() : status.text("modeReason"))
        .put("errors", errors);
    details.forEach(json.putArray("details")::add);
  }

  private String brief() {
    List<String> brief = new ArrayList<>();
    for (Map<String, Long> nouns : counts.values()) {
      nouns.forEach(
          (noun, count) -> {
            String[] words = noun.split("(?= )", 2);
            String rest = words.length > 1 ? words[1] : "";
            boolean counted = !noun.startsWith("=");
            brief.add(counted ? Words.plural(count, words[0]) + rest : noun.substring(1));
          });
    }
    return String.join("; ", brief);
  }

  /** Notes a row of the table so many times; what is 0 is none. */
  private void note(String name, long count, Object... values) {
    if (count > 0) {
      List<String> row = Objects.requireNonNull(ROWS.get(name), name);
      if (!row.get(1).isEmpty()) {
        counts
            .computeIfAbsent(Trouble.valueOf(row.get(1)), key -> new LinkedHashMap<>())
            .merge(row.get(2), count, Long::sum);
      }
      if (!row.get(3).isEmpty()) {
        details.add(TextTable.fill(row.get(3), values));
      }
    }
  }

  private void errors(JsonNode json, Metric metric) {
    errors += NodeStatus.value(json, metric);
    metric("error", json, metric);
  }

  private void metric(String name, JsonNode json, Metric metric) {
    NodeStatus.told(json, metric)
        .ifPresent(told -> note(name, NodeStatus.value(json, metric), told));
  }

  private void yarn(JsonNode yarn) {
    String report = yarn.path("report").asText();
    if (!yarn.path("healthy").asBoolean(true)) {
      note("yarn.node", 1, report);
    } else {
      note("yarn.dirs", yarn.path("badLocalDirs").asLong(), report);
    }
  }

  /** Some jobs bring a class path of their own; most of them do not. */
  private void tasks(JsonNode node) {
    long stock = NodeStatus.value(node, TierCounter.MAPREDUCE_TASKS_STOCK);
    boolean most = 2 * stock > NodeStatus.value(node, TierCounter.MAPREDUCE_TASKS);
    note(most ? "tasks.most" : "tasks.some", stock);
    note("tasks", stock);
  }

  private void dirs(JsonNode node) {
    long lost = NodeStatus.value(node, TierCounter.DIRS_LOST);
    long failed =
        status.tiers().stream().mapToLong(tier -> tier.get(TierCounter.DIRS_FAILED)).sum();
    note(lost > 0 ? "dirs.lost" : "dirs.failed", Math.max(lost, failed));
    status.tiers().forEach(tier -> note("dirs.slow", tier.get(TierCounter.DIRS_SLOW)));
    status.tree("dirs").forEach(this::dir);
  }

  private void dir(JsonNode dir) {
    String path = dir.path("path").asText();
    String why = dir.path(dir.hasNonNull("lost") ? "lost" : "trouble").asText("");
    if (!dir.path("readable").asBoolean(true)) {
      String unread = dir.path("hung").asBoolean() ? "dir.hung" : "dir.unread";
      note(unread, 1, path, why.isEmpty() ? "." : ": " + why);
    } else if (!why.isEmpty()) {
      note("dir.order", 1, path, why);
    }
    long unseen = dir.path("foldersNotListed").asLong();
    note("dir.unlisted", unseen, path, unseen, TierCounter.FOLDERS_NOT_LISTED.attribute());
    note("dir.slow", dir.path("slow").asBoolean() ? 1 : 0, path);
    note("dir.draining", dir.path("draining").asBoolean() ? 1 : 0, path);
    for (JsonNode deleted : dir.path("claimsDeleted")) {
      note(
          "dir.claims",
          1,
          path,
          deleted.path("uid").asText(),
          deleted.path("user").asText(),
          deleted.path("entries").asText(),
          Sizes.format(deleted.path("bytes").asLong()),
          Instant.ofEpochMilli(deleted.path("lastMillis").asLong()));
    }
  }
}
