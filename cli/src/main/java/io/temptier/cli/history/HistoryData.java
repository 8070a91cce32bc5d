// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.cli.Deadline;
import io.temptier.cli.JsonFile.Json;
import io.temptier.cli.TimeRange;
import io.temptier.tier.journal.HistoryFile;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What NodeManagers wrote down: ended applications, lines of each added up, and how full their
 * tiers were. Not thread-safe.
 */
public final class HistoryData {
  static final String NODE = "node";

  /** The format of lines that this version reads. */
  static final int FORMAT = 1;

  /** Where it comes from, for people: local dirs, nodes or a ResourceManager. */
  final String source;

  final Map<String, ApplicationHistory> applications = new LinkedHashMap<>();

  /** How full the tiers of a node were, each in its fullest moment; a line as a node wrote it. */
  final List<JsonNode> fill = new ArrayList<>();

  /** Nodes that did not tell, each with why. */
  final Map<String, String> silent = new TreeMap<>();

  private final List<String> unreadable = new ArrayList<>();

  /** Lines that could not be read, or are of a later version. */
  long linesSkipped;

  /** Nothing yet, of nodes that have this name for people. */
  HistoryData(String source) {
    this.source = source;
  }

  public static HistoryData ofLocalDirs(List<Path> roots) {
    return Deadline.orFail("read " + roots, () -> new HistoryData(roots.toString()).read(roots));
  }

  private HistoryData read(List<Path> roots) {
    for (Path root : roots) {
      read(root, HistoryFile.APPLICATIONS, line -> addApplication("this node", line));
      read(root, HistoryFile.FILL, line -> addFill("this node", line));
    }
    return this;
  }

  private void read(Path root, String name, Consumer<JsonNode> reader) {
    for (Path file : HistoryFile.files(root.resolve(NodeMarker.DIR), name)) {
      try {
        for (String line : HistoryFile.read(file, 2 * HistoryFile.MAX_BYTES)) {
          read(line, reader);
        }
      } catch (IOException e) {
        unreadable.add(file.toString());
      }
    }
  }

  private void read(String line, Consumer<JsonNode> reader) {
    try {
      reader.accept(Json.MAPPER.readTree(line));
    } catch (JsonProcessingException e) {
      linesSkipped++;
    }
  }

  /** Adds what a node tells of itself, in its bean. */
  void add(String node, JsonNode bean) {
    try {
      lines(bean, "Applications").forEach(line -> addApplication(node, line));
      lines(bean, "Fill").forEach(line -> addFill(node, line));
    } catch (JsonProcessingException e) {
      silent.put(node, "of another version");
    }
  }

  private static JsonNode lines(JsonNode bean, String attribute) throws JsonProcessingException {
    return Json.MAPPER.readTree(bean.path(attribute).asText("[]"));
  }

  /** A line that is none, or of a later version of TempTier, is counted. */
  private void addApplication(String node, JsonNode line) {
    Optional<ApplicationHistory> one = ApplicationHistory.of(node, line);
    one.ifPresent(told -> applications.merge(told.application(), told, ApplicationHistory::plus));
    linesSkipped += one.isPresent() ? 0 : 1;
  }

  private void addFill(String node, JsonNode line) {
    if (line.path("v").asInt() == FORMAT && line.path(ApplicationHistory.FROM).isNumber()) {
      fill.add(((ObjectNode) line).put(NODE, node));
    }
  }

  /** When a sample begins, milliseconds since 1970. */
  static long fromMillis(JsonNode sample) {
    return sample.path(ApplicationHistory.FROM).asLong();
  }

  /** Leaves out how full tiers were at any other time. */
  void keepFillOf(TimeRange time) {
    fill.removeIf(sample -> !time.has(fromMillis(sample)));
  }

  public Optional<ApplicationHistory> of(String application) {
    return Optional.ofNullable(applications.get(application));
  }

  /** That files could not be read, for the end of a message; empty when all could. */
  public String unreadableText() {
    return unreadable.isEmpty()
        ? ""
        : " Run this as the NodeManager's user to read " + String.join(", ", unreadable) + ".";
  }
}
