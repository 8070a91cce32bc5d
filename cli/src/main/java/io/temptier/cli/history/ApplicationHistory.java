// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.MediumOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;

/**
 * What became of one application's temporary data, on one node or several. Bytes are the real sizes
 * of complete files; a task that was killed may have left others.
 *
 * @param user whose it was; empty where that is not known
 * @param queue where it ran; empty where no ResourceManager told
 * @param fromMillis its first file or container there, milliseconds since 1970
 * @param toMillis when it was last there
 * @param tiers what went to each tier, fastest first
 * @param refused what each tier refused, and why
 * @param filesDemoted map outputs that were moved down later
 * @param containersFailed those of them that failed
 */
public record ApplicationHistory(
    String application,
    String user,
    String queue,
    long fromMillis,
    long toMillis,
    boolean running,
    Set<String> nodes,
    Map<String, Sum> tiers,
    Map<String, Map<String, Sum>> refused,
    long filesDemoted,
    long bytesDemoted,
    long containers,
    long containersFailed) {
  /** The format of lines that this version reads. */
  private static final int FORMAT = 1;

  /**
   * Files and bytes.
   *
   * @param filesSpilled those of them that a faster tier refused
   */
  public record Sum(long files, long bytes, long filesSpilled, long bytesSpilled) {
    Sum plus(Sum other) {
      return new Sum(
          files + other.files,
          bytes + other.bytes,
          filesSpilled + other.filesSpilled,
          bytesSpilled + other.bytesSpilled);
    }

    private static Sum of(JsonNode json) {
      return new Sum(
          json.path("files").asLong(),
          json.path("bytes").asLong(),
          json.path("filesSpilled").asLong(),
          json.path("bytesSpilled").asLong());
    }
  }

  /** Reads a line that a node wrote; empty when it is none, or of a later version. */
  static Optional<ApplicationHistory> of(String node, JsonNode line) {
    if (line.path("v").asInt() != FORMAT || !line.path("app").isTextual()) {
      return Optional.empty();
    }
    Map<String, Sum> tiers = byMedium();
    line.path("tiers")
        .forEach(tier -> tiers.merge(tier.path("medium").asText(), Sum.of(tier), Sum::plus));
    Map<String, Map<String, Sum>> refused = byMedium();
    line.path("refused")
        .forEach(
            why ->
                refused
                    .computeIfAbsent(why.path("medium").asText(), any -> new TreeMap<>())
                    .merge(why.path("reason").asText(), Sum.of(why), Sum::plus));
    return Optional.of(
        new ApplicationHistory(
            line.path("app").asText(),
            line.path("user").asText(),
            "",
            line.path("fromMillis").asLong(),
            line.path("toMillis").asLong(),
            line.path("running").asBoolean(),
            Set.of(node),
            tiers,
            refused,
            line.path("filesDemoted").asLong(),
            line.path("bytesDemoted").asLong(),
            line.path("containers").asLong(),
            line.path("containersFailed").asLong()));
  }

  private static <T> Map<String, T> byMedium() {
    return new TreeMap<>(MediumOrder.FASTEST_FIRST);
  }

  /** Both together: lines of one application add up, of a node and of several. */
  ApplicationHistory plus(ApplicationHistory other) {
    Set<String> allNodes = new TreeSet<>(nodes);
    allNodes.addAll(other.nodes);
    return new ApplicationHistory(
        application,
        user.isEmpty() ? other.user : user,
        queue.isEmpty() ? other.queue : queue,
        Math.min(fromMillis, other.fromMillis),
        Math.max(toMillis, other.toMillis),
        running || other.running,
        allNodes,
        merged(byMedium(), tiers, other.tiers, Sum::plus),
        merged(
            byMedium(),
            refused,
            other.refused,
            (some, more) -> merged(new TreeMap<>(), some, more, Sum::plus)),
        filesDemoted + other.filesDemoted,
        bytesDemoted + other.bytesDemoted,
        containers + other.containers,
        containersFailed + other.containersFailed);
  }

  private static <T> Map<String, T> merged(
      Map<String, T> into, Map<String, T> some, Map<String, T> more, BinaryOperator<T> plus) {
    into.putAll(some);
    more.forEach((key, value) -> into.merge(key, value, plus));
    return into;
  }

  ApplicationHistory inQueue(String name) {
    return new ApplicationHistory(
        application,
        user,
        name,
        fromMillis,
        toMillis,
        running,
        nodes,
        tiers,
        refused,
        filesDemoted,
        bytesDemoted,
        containers,
        containersFailed);
  }

  /** Files that a tier refused for one reason. */
  record Refusal(String medium, String reason, Sum sum) {}

  /** What was refused, flat. */
  List<Refusal> refusals() {
    List<Refusal> refusals = new ArrayList<>();
    refused.forEach(
        (medium, whys) -> whys.forEach((why, sum) -> refusals.add(new Refusal(medium, why, sum))));
    return refusals;
  }

  /** Bytes of temporary data, on all tiers. */
  @JsonProperty
  long bytes() {
    return tiers.values().stream().mapToLong(Sum::bytes).sum();
  }

  /** Bytes that a faster tier refused. */
  @JsonProperty
  long bytesSpilled() {
    return tiers.values().stream().mapToLong(Sum::bytesSpilled).sum();
  }
}
