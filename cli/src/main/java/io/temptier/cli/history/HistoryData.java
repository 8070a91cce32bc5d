// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.Deadline;
import io.temptier.cli.JsonFile.Json;
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

/** NodeManagers' records of ended applications, lines of each added up. Not thread-safe. */
public final class HistoryData {
  /** The format of lines that this version reads. */
  static final int FORMAT = 1;

  /** Source of the records, for people: local dirs, nodes or a ResourceManager. */
  final String source;

  final Map<String, ApplicationHistory> applications = new LinkedHashMap<>();

  /** Nodes that did not tell, each with why. */
  final Map<String, String> silent = new TreeMap<>();

  private final List<String> unreadable = new ArrayList<>();

  /** Lines that could not be read, or are of a later version. */
  long linesSkipped;

  /** Starts empty, for a source that has this name for people. */
  HistoryData(String source) {
    this.source = source;
  }

  public static HistoryData ofLocalDirs(List<Path> roots) {
    return Deadline.orFail("read " + roots, () -> new HistoryData(roots.toString()).read(roots));
  }

  private HistoryData read(List<Path> roots) {
    for (Path root : roots) {
      Path folder = root.resolve(NodeMarker.DIR);
      for (Path file : HistoryFile.files(folder)) {
        try {
          HistoryFile.read(file).forEach(this::read);
        } catch (IOException e) {
          unreadable.add(file.toString());
        }
      }
    }
    return this;
  }

  private void read(String line) {
    try {
      addApplication("this node", Json.MAPPER.readTree(line));
    } catch (JsonProcessingException e) {
      linesSkipped++;
    }
  }

  /** Adds what a node tells of itself, in its bean. */
  void add(String node, JsonNode bean) {
    try {
      String lines = bean.path("Applications").asText("[]");
      Json.MAPPER.readTree(lines).forEach(line -> addApplication(node, line));
    } catch (JsonProcessingException e) {
      silent.put(node, "of another version");
    }
  }

  /** A line that is none, or of a later version of TempTier, is counted. */
  private void addApplication(String node, JsonNode line) {
    Optional<ApplicationHistory> one = ApplicationHistory.of(node, line);
    one.ifPresent(
        totals -> applications.merge(totals.application(), totals, ApplicationHistory::plus));
    linesSkipped += one.isPresent() ? 0 : 1;
  }

  public Optional<ApplicationHistory> of(String application) {
    return Optional.ofNullable(applications.get(application));
  }

  /** Names files that could not be read, for the end of a message; empty when all could. */
  public String unreadableText() {
    return unreadable.isEmpty()
        ? ""
        : " Run this as the NodeManager's user to read " + String.join(", ", unreadable) + ".";
  }
}
