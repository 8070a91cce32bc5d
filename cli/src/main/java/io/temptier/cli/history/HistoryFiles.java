// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.tier.journal.HistoryFile;
import io.temptier.tier.marker.NodeMarker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the NodeManager of this node wrote down of ended applications. */
public final class HistoryFiles {
  private static final String NODE = "this node";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Histories histories = new Histories();
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
      for (Path file : HistoryFile.files(root.resolve(NodeMarker.DIR))) {
        files.read(file);
      }
    }
    return files;
  }

  private void read(Path file) {
    try {
      for (String line : HistoryFile.read(file, 2 * HistoryFile.MAX_BYTES)) {
        add(line);
      }
    } catch (IOException e) {
      unreadable.add(file.toString());
    }
  }

  private void add(String line) {
    try {
      histories.add(NODE, MAPPER.readTree(line));
    } catch (JsonProcessingException e) {
      histories.skipped();
    }
  }

  /** What was read, by application. */
  Histories histories() {
    return histories;
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
