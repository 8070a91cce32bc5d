// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.output.MapOutputId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps moves of an output and the removal of what an earlier move left of it apart: a copy that
 * has its name and not yet its link looks like a leftover. Safe for use by many threads.
 */
final class OutputUse {
  private static final Integer MOVED = -1;

  /** How many dirs an output is cleaned in now, or {@link #MOVED}. */
  private final Map<MapOutputId, Integer> uses = new ConcurrentHashMap<>();

  /** False while the output is moved or cleaned. */
  boolean beginMove(MapOutputId id) {
    return uses.putIfAbsent(id, MOVED) == null;
  }

  boolean moved(MapOutputId id) {
    return MOVED.equals(uses.get(id));
  }

  void endMove(MapOutputId id) {
    uses.remove(id);
  }

  /** False while the output is moved. */
  boolean beginCleaning(MapOutputId id) {
    return !MOVED.equals(uses.merge(id, 1, (now, one) -> MOVED.equals(now) ? now : now + one));
  }

  void endCleaning(MapOutputId id) {
    uses.computeIfPresent(id, (any, now) -> now == 1 ? null : now - 1);
  }
}
