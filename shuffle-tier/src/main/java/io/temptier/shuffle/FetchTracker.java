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
package io.temptier.shuffle;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which partitions of each map output were fetched wholly, since the NodeManager started. What was
 * fetched by every reducer is cold: it is kept for retries only.
 *
 * <p>Takes a bit for each partition of an output that anybody fetched from, until its application
 * ends. Safe for use by many threads.
 */
final class FetchTracker {
  private static final class Fetched {
    private final int partitions;
    private final BitSet done;

    Fetched(int partitions) {
      this.partitions = partitions;
      this.done = new BitSet(partitions);
    }

    synchronized void add(int partition) {
      done.set(partition);
    }

    synchronized double fraction() {
      return partitions == 0 ? 0 : (double) done.cardinality() / partitions;
    }

    synchronized int unfetchedSince(int partition) {
      return partition == 0 ? 0 : done.previousSetBit(partition - 1) + 1;
    }

    synchronized int nextFetched(int from) {
      int next = done.nextSetBit(from);
      return next < 0 ? partitions : next;
    }
  }

  private final Map<String, Map<MapOutputId, Fetched>> byApplication = new ConcurrentHashMap<>();

  private @Nullable Fetched find(MapOutputId id) {
    return byApplication.getOrDefault(id.application(), Map.of()).get(id);
  }

  /** Notes that a segment was sent to its last byte. */
  void fetched(Segment segment) {
    byApplication
        .computeIfAbsent(segment.id().application(), any -> new ConcurrentHashMap<>())
        .computeIfAbsent(segment.id(), any -> new Fetched(segment.partitions()))
        .add(segment.partition());
  }

  /** The share of the output's partitions that were fetched, 0 to 1; 0 when nothing is known. */
  double fraction(MapOutputId id) {
    Fetched fetched = find(id);
    return fetched == null ? 0 : fetched.fraction();
  }

  /**
   * The first partition after {@code partition} that was fetched already.
   *
   * @return {@code partitions} when there is none
   */
  int nextFetched(MapOutputId id, int partition, int partitions) {
    Fetched fetched = find(id);
    return fetched == null ? partitions : Math.min(fetched.nextFetched(partition + 1), partitions);
  }

  /** The first of the partitions up to {@code partition}, without a gap, that nobody fetched. */
  int unfetchedSince(MapOutputId id, int partition) {
    Fetched fetched = find(id);
    return fetched == null ? 0 : fetched.unfetchedSince(partition);
  }

  /** Every output that was fetched from, with its fraction. */
  Map<MapOutputId, Double> fractions() {
    Map<MapOutputId, Double> all = new HashMap<>();
    byApplication
        .values()
        .forEach(outputs -> outputs.forEach((id, fetched) -> all.put(id, fetched.fraction())));
    return all;
  }

  /** Forgets an application that ended. */
  void forgetApplication(String application) {
    byApplication.remove(application);
  }
}
