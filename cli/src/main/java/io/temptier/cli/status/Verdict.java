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
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The one judge of a node: {@code status} of nodes, and the report, say what it found. */
final class Verdict {
  private static final String UNHEALTHY = "unhealthy to YARN";

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
      dirs();
      tasks();
      count(Trouble.WARNED, node, TierCounter.ROOTS_RESTORED, "warning");
      count(Trouble.WARNED, node, TierCounter.JOURNAL_LINES_IGNORED, "warning");
      count(Trouble.WARNED, status.findings("WARNING").size(), "warning");
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
            if (noun.equals(UNHEALTHY)) {
              brief.add(noun);
              return;
            }
            String[] words = noun.split("(?= )", 2);
            brief.add(Words.plural(count, words[0]) + (words.length > 1 ? words[1] : ""));
          });
    }
    return String.join("; ", brief);
  }

  private void count(Trouble trouble, long count, String noun) {
    if (count > 0) {
      counts.computeIfAbsent(trouble, key -> new LinkedHashMap<>()).merge(noun, count, Long::sum);
    }
  }

  private void errors(JsonNode json, Metric metric) {
    errors += NodeStatus.value(json, metric);
    count(Trouble.ERRORS, json, metric, "error");
  }

  private void count(Trouble trouble, JsonNode json, Metric metric, String noun) {
    count(trouble, NodeStatus.value(json, metric), noun);
    NodeStatus.told(json, metric).ifPresent(details::add);
  }

  private void yarn(JsonNode yarn) {
    String report = yarn.path("report").asText();
    if (!yarn.path("healthy").asBoolean(true)) {
      count(Trouble.FAILED, 1, UNHEALTHY);
      details.add("YARN starts no container here, as it calls the node unhealthy: " + report);
    } else if (yarn.path("badLocalDirs").asLong() > 0) {
      count(Trouble.FAILED, yarn.path("badLocalDirs").asLong(), "dir not used by YARN");
      details.add("YARN does not use each local dir: " + report);
    }
  }

  /** Some jobs bring a class path of their own; most of them do not. */
  private void tasks() {
    JsonNode node = status.tree("node");
    long stock = NodeStatus.value(node, TierCounter.MAPREDUCE_TASKS_STOCK);
    boolean most = 2 * stock > NodeStatus.value(node, TierCounter.MAPREDUCE_TASKS);
    count(most ? Trouble.TASKS : Trouble.WARNED, stock, "task without TempTier");
    if (stock > 0) {
      details.add(
          "Tasks of MapReduce ran without TempTier, so stock Hadoop placed their files: put its"
              + " jars on containers' class path (yarn.nodemanager.admin-env.CLASSPATH), and"
              + " restart the NodeManager.");
    }
  }

  private void dirs() {
    long lost = NodeStatus.value(status.tree("node"), TierCounter.DIRS_LOST);
    long failed =
        status.tiers().stream().mapToLong(tier -> tier.get(TierCounter.DIRS_FAILED)).sum();
    count(Trouble.FAILED, Math.max(lost, failed), lost > 0 ? "dir lost" : "dir failed");
    status
        .tiers()
        .forEach(tier -> count(Trouble.SLOW, tier.get(TierCounter.DIRS_SLOW), "dir slow"));
    status.tree("dirs").forEach(this::dir);
  }

  private void dir(JsonNode dir) {
    String path = dir.path("path").asText();
    String why = dir.path(dir.hasNonNull("lost") ? "lost" : "trouble").asText("");
    boolean readable = dir.path("readable").asBoolean(true);
    if (readable && !why.isEmpty()) {
      count(Trouble.WARNED, 1, "dir not in order");
      details.add("TempTier's folder in " + path + " is not in order: " + why);
    }
    if (!readable) {
      String state =
          dir.path("hung").asBoolean() ? "does not answer" : "cannot be used at the moment";
      details.add(path + " " + state + (why.isEmpty() ? "." : ": " + why));
    }
    long unseen = dir.path("foldersNotListed").asLong();
    if (unseen > 0) {
      count(Trouble.WARNED, unseen, "folder not listed");
      details.add(
          String.format(
              "%d folders under %s may not be listed by the NodeManager's user: %s in"
                  + " docs/metrics.md says what counts instead.",
              unseen, path, TierCounter.FOLDERS_NOT_LISTED.attribute()));
    }
    if (dir.path("slow").asBoolean()) {
      details.add(
          path
              + " answers slower than the next tier: new files go elsewhere while there is room,"
              + " until it recovers. The NodeManager's log has the figures.");
    }
    if (dir.path("draining").asBoolean()) {
      count(Trouble.DRAINING, 1, "dir draining");
      details.add(
          String.format(
              "%1$s is being emptied: temptier drain %1$s says how far it is, temptier undrain"
                  + " ends it.",
              path));
    }
    for (JsonNode deleted : dir.path("claimsDeleted")) {
      count(Trouble.WARNED, 1, "user with false claims");
      details.add(claims(path, deleted));
    }
  }

  private static String claims(String path, JsonNode deleted) {
    return String.format(
        "uid %s (%s) claimed what it may not in %s: %s entries of %s were deleted, the last at"
            + " %s. Look at what that user runs on the node.",
        deleted.path("uid").asText(),
        deleted.path("user").asText(),
        path,
        deleted.path("entries").asText(),
        Sizes.format(deleted.path("bytes").asLong()),
        Instant.ofEpochMilli(deleted.path("lastMillis").asLong()));
  }
}
