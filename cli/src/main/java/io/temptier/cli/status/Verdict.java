// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.status;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.Plural;
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

/**
 * The one judge of a node: {@code status} of a node and of a cluster, and the report, say what it
 * found. Not thread-safe.
 */
final class Verdict {
  /** How many of each noun, such as {@code dir failed}, by how bad it is. */
  private final Map<Trouble, Map<String, Long>> counts = new EnumMap<>(Trouble.class);

  private final List<String> details = new ArrayList<>();
  private long errors;
  private boolean stock;
  private String modeReason = "";

  private Verdict() {}

  static Verdict of(NodeStatus status) {
    Verdict verdict = new Verdict();
    for (JsonNode tier : status.tree("tiers")) {
      verdict.errors(tier, TierCounter.DIR_ERRORS);
    }
    verdict.errors(status.tree("node"), TierCounter.STOCK_FALLBACKS);
    verdict.errors(status.tree("node"), TierCounter.UPKEEP_ERRORS);
    verdict.errors(status.tree("node"), TierCounter.JOURNAL_LINES_DROPPED);
    verdict.errors(status.tree("shuffle").path("demotion"), DemotionCounter.DEMOTION_FAILURES);
    if (!status.active()) {
      verdict.stock = true;
      verdict.modeReason = status.text("modeReason");
      return verdict;
    }
    verdict.dirs(status);
    verdict.count(Trouble.WARNED, status.tree("node"), TierCounter.ROOTS_RESTORED, "warning");
    verdict.count(
        Trouble.WARNED, status.tree("node"), TierCounter.JOURNAL_LINES_IGNORED, "warning");
    verdict.count(Trouble.WARNED, status.findings("WARNING").size(), "warning");
    return verdict;
  }

  /** The worst of all. */
  Trouble trouble() {
    if (stock) {
      return Trouble.STOCK;
    }
    return counts.keySet().stream().findFirst().orElse(Trouble.FINE);
  }

  /** The reasons in a few words, the worst first; empty when all is well. */
  String brief() {
    if (stock) {
      return modeReason;
    }
    List<String> brief = new ArrayList<>();
    counts
        .values()
        .forEach(
            nouns ->
                nouns.forEach(
                    (noun, count) -> {
                      String[] words = noun.split("(?= )", 2);
                      brief.add(Plural.of(count, words[0]) + (words.length > 1 ? words[1] : ""));
                    }));
    return String.join("; ", brief);
  }

  /** A sentence of each reason that says what it means and what to do. */
  List<String> details() {
    return details;
  }

  /** Failures of any kind since the NodeManager's start. */
  long errors() {
    return errors;
  }

  private void count(Trouble trouble, long count, String noun) {
    if (count > 0) {
      counts.computeIfAbsent(trouble, any -> new LinkedHashMap<>()).merge(noun, count, Long::sum);
    }
  }

  private void errors(JsonNode of, Metric metric) {
    errors += NodeStatus.value(of, metric);
    count(Trouble.ERRORS, of, metric, "error");
  }

  private void count(Trouble trouble, JsonNode of, Metric metric, String noun) {
    count(trouble, NodeStatus.value(of, metric), noun);
    NodeStatus.told(of, metric).ifPresent(details::add);
  }

  private void dirs(NodeStatus status) {
    long lost = NodeStatus.value(status.tree("node"), TierCounter.DIRS_LOST);
    long failed = 0;
    long slow = 0;
    for (JsonNode tier : status.tree("tiers")) {
      failed += NodeStatus.value(tier, TierCounter.DIRS_FAILED);
      slow += NodeStatus.value(tier, TierCounter.DIRS_SLOW);
    }
    count(Trouble.FAILED, Math.max(lost, failed), lost > 0 ? "dir lost" : "dir failed");
    count(Trouble.SLOW, slow, "dir slow");
    status.tree("dirs").forEach(this::dir);
  }

  private void dir(JsonNode dir) {
    String path = dir.path("path").asText();
    String why = NodeStatus.whyUnusable(dir);
    boolean readable = dir.path("readable").asBoolean(true);
    if (readable && !why.isEmpty()) {
      count(Trouble.WARNED, 1, "dir not in order");
      details.add(String.format("TempTier's folder in %s is not in order: %s", path, why));
    }
    if (!readable) {
      String state =
          dir.path("hung").asBoolean(false) ? "does not answer" : "cannot be used at the moment";
      details.add(String.format("%s %s%s", path, state, why.isEmpty() ? "." : ": " + why));
    }
    long unseen = dir.path("foldersNotListed").asLong(0);
    if (unseen > 0) {
      count(Trouble.WARNED, unseen, "folder not listed");
      details.add(
          String.format(
              "%d folders under %s may not be listed by the NodeManager's user: %s in"
                  + " docs/metrics.md says what counts instead.",
              unseen, path, TierCounter.FOLDERS_NOT_LISTED.attribute()));
    }
    if (dir.path("slow").asBoolean(false)) {
      details.add(
          path
              + " answers slower than the next tier: new files go elsewhere while there is room,"
              + " until it recovers. The NodeManager's log has the figures.");
    }
    if (dir.path("draining").asBoolean(false)) {
      count(Trouble.DRAINING, 1, "dir draining");
      details.add(
          String.format(
              "%s is being emptied: temptier drain %s says how far it is, temptier undrain ends"
                  + " it.",
              path, path));
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
