/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.shuffle.demotion;

import io.temptier.shuffle.MapOutputId;
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
