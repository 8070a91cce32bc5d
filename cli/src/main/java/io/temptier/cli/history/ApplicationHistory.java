// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.auto.value.AutoValue;
import io.temptier.cli.MediumOrder;
import io.temptier.tier.lang.Immutable;
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
 */
@AutoValue
public abstract class ApplicationHistory {

  /** The format of lines that this version reads. */
  private static final int FORMAT = 1;

  public abstract String application();

  /** Whose it was; empty where that is not known. */
  public abstract String user();

  /** Where it ran; empty where no ResourceManager told. */
  public abstract String queue();

  /** Its first file or container there, milliseconds since 1970. */
  public abstract long fromMillis();

  /** When it was last there. */
  public abstract long toMillis();

  public abstract boolean running();

  public abstract Set<String> nodes();

  /** What went to each tier, fastest first. */
  public abstract Map<String, Sum> tiers();

  /** What each tier refused, and why. */
  public abstract Map<String, Map<String, Sum>> refused();

  /** Map outputs that were moved down later. */
  public abstract long filesDemoted();

  public abstract long bytesDemoted();

  public abstract long containers();

  /** Those of them that failed. */
  public abstract long containersFailed();

  public static ApplicationHistory of(
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
    return new AutoValue_ApplicationHistory(
        application,
        user,
        queue,
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

  /** Files and bytes. */
  @AutoValue
  public abstract static class Sum {
    public abstract long files();

    public abstract long bytes();

    /** Those of them that a faster tier refused. */
    public abstract long filesSpilled();

    public abstract long bytesSpilled();

    public static Sum of(long files, long bytes, long filesSpilled, long bytesSpilled) {
      return new AutoValue_ApplicationHistory_Sum(files, bytes, filesSpilled, bytesSpilled);
    }

    Sum plus(Sum other) {
      return Sum.of(
          files() + other.files(),
          bytes() + other.bytes(),
          filesSpilled() + other.filesSpilled(),
          bytesSpilled() + other.bytesSpilled());
    }

    private static Sum of(JsonNode json) {
      return Sum.of(
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
        ApplicationHistory.of(
            line.path("app").asText(),
            line.path("user").asText(),
            "",
            line.path("fromMillis").asLong(),
            line.path("toMillis").asLong(),
            line.path("running").asBoolean(),
            Immutable.setOf(node),
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
    Set<String> allNodes = new TreeSet<>(nodes());
    allNodes.addAll(other.nodes());
    return ApplicationHistory.of(
        application(),
        user().isEmpty() ? other.user() : user(),
        queue().isEmpty() ? other.queue() : queue(),
        Math.min(fromMillis(), other.fromMillis()),
        Math.max(toMillis(), other.toMillis()),
        running() || other.running(),
        allNodes,
        merged(byMedium(), tiers(), other.tiers(), Sum::plus),
        merged(
            byMedium(),
            refused(),
            other.refused(),
            (some, more) -> merged(new TreeMap<>(), some, more, Sum::plus)),
        filesDemoted() + other.filesDemoted(),
        bytesDemoted() + other.bytesDemoted(),
        containers() + other.containers(),
        containersFailed() + other.containersFailed());
  }

  private static <T> Map<String, T> merged(
      Map<String, T> into, Map<String, T> some, Map<String, T> more, BinaryOperator<T> plus) {
    into.putAll(some);
    more.forEach((key, value) -> into.merge(key, value, plus));
    return into;
  }

  ApplicationHistory inQueue(String name) {
    return ApplicationHistory.of(
        application(),
        user(),
        name,
        fromMillis(),
        toMillis(),
        running(),
        nodes(),
        tiers(),
        refused(),
        filesDemoted(),
        bytesDemoted(),
        containers(),
        containersFailed());
  }

  /** Files that a tier refused for one reason. */
  @AutoValue
  abstract static class Refusal {
    abstract String medium();

    abstract String reason();

    abstract Sum sum();

    static Refusal of(String medium, String reason, Sum sum) {
      return new AutoValue_ApplicationHistory_Refusal(medium, reason, sum);
    }
  }

  /** What was refused, flat. */
  List<Refusal> refusals() {
    List<Refusal> refusals = new ArrayList<>();
    refused()
        .forEach(
            (medium, whys) ->
                whys.forEach((why, sum) -> refusals.add(Refusal.of(medium, why, sum))));
    return refusals;
  }

  /** Bytes of temporary data, on all tiers. */
  @JsonProperty
  long bytes() {
    return tiers().values().stream().mapToLong(Sum::bytes).sum();
  }

  /** Bytes that a faster tier refused. */
  @JsonProperty
  long bytesSpilled() {
    return tiers().values().stream().mapToLong(Sum::bytesSpilled).sum();
  }
}
