// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.tier.journal.HistoryFile;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What the NodeManager of this node wrote down: ended applications, and how full its tiers were.
 */
public final class HistoryFiles {
  private static final String NODE = "this node";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Histories histories = new Histories();
  private final List<FillSample> fill = new ArrayList<>();
  private final List<String> unreadable = new ArrayList<>();

  private HistoryFiles() {}

  /**
   * Reads what there is.
   *
   * @param roots the local dirs
   */
  public static HistoryFiles read(List<Path> roots) {
    HistoryFiles files = new HistoryFiles();
    for (Path root : roots) {
      files.read(root, HistoryFile.APPLICATIONS, line -> files.histories.add(NODE, line));
      files.read(
          root, HistoryFile.FILL, line -> FillSample.of(NODE, line).ifPresent(files.fill::add));
    }
    return files;
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
      reader.accept(MAPPER.readTree(line));
    } catch (JsonProcessingException e) {
      histories.skipped();
    }
  }

  /** What was read, by application. */
  Histories histories() {
    return histories;
  }

  /** How full the tiers were. */
  List<FillSample> fill() {
    return fill;
  }

  /** Of one application. */
  public Optional<ApplicationHistory> of(String application) {
    return histories.of(application);
  }

  /** That files could not be read, for the end of a message; empty when all could. */
  public String unreadableText() {
    return unreadable.isEmpty()
        ? ""
        : " Run this as the NodeManager's user to read " + String.join(", ", unreadable) + ".";
  }
}
