// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Adds up lines by application. Not thread-safe. */
final class Histories {
  private final Map<String, ApplicationHistory> byApplication = new LinkedHashMap<>();
  private long skipped;

  /** Adds a line; one that is none, or of a later version of TempTier, is counted. */
  void add(String node, JsonNode line) {
    Optional<ApplicationHistory> history = ApplicationHistory.of(node, line);
    if (history.isEmpty()) {
      skipped();
    } else {
      byApplication.merge(history.get().application(), history.get(), ApplicationHistory::plus);
    }
  }

  /** Counts a line that cannot be read. */
  void skipped() {
    skipped++;
  }

  /** How many lines could not be read. */
  long skippedLines() {
    return skipped;
  }

  /** All applications. */
  Collection<ApplicationHistory> all() {
    return byApplication.values();
  }

  /** One of them. */
  Optional<ApplicationHistory> of(String application) {
    return Optional.ofNullable(byApplication.get(application));
  }
}
