// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Tracks which partitions of each map output were fetched wholly, since the NodeManager started.
 * What was fetched by every reducer is cold: it is kept for retries only.
 *
 * <p>Takes a bit for each partition of an output that anybody fetched from, until its application
 * ends; of an application with very many the rest counts as not fetched. Safe for use by many
 * threads.
 */
public final class FetchTracker {
  /** Bound on an application's outputs, in bytes: 10,000 of 10,000 partitions each. */
  private static final long MOST_BYTES = 16L << 20;

  /** Bytes of an output besides its bits: objects and maps, rounded up. */
  private static final int OUTPUT_BYTES = 300;

  static final class Fetched {
    private final int partitions;
    private final BitSet done;
    private long lastNanos = System.nanoTime();

    Fetched(int partitions) {
      this.partitions = partitions;
      this.done = new BitSet(partitions);
    }

    synchronized void add(int partition) {
      done.set(partition);
      lastNanos = System.nanoTime();
    }

    private synchronized long idleNanos() {
      return partitions == 0 ? Long.MAX_VALUE : System.nanoTime() - lastNanos;
    }

    private synchronized double fraction() {
      return partitions == 0 ? 0 : (double) done.cardinality() / partitions;
    }

    /** The first of the partitions up to this one, without a gap, that nobody fetched. */
    synchronized int unfetchedSince(int partition) {
      return partition == 0 ? 0 : done.previousSetBit(partition - 1) + 1;
    }

    /** The first partition after this one that was fetched; else how many there are. */
    synchronized int nextFetched(int partition, int all) {
      int next = done.nextSetBit(partition + 1);
      return next < 0 ? all : Math.min(next, all);
    }
  }

  /** Stands for an output that nobody fetched from. */
  private static final Fetched NOTHING = new Fetched(0);

  private final Map<MapOutputId, Fetched> outputs = new ConcurrentHashMap<>();
  private final Map<String, Long> bytesByApplication = new ConcurrentHashMap<>();
  private final Predicate<String> running;

  /** {@code running} tells whether an application runs; no more before it is forgotten. */
  public FetchTracker(Predicate<String> running) {
    this.running = running;
  }

  /** Returns what was fetched of an output so far; asked anew for each segment. */
  Fetched of(MapOutputId id) {
    return outputs.getOrDefault(id, NOTHING);
  }

  /**
   * Notes that one of an output's partitions was sent to its last byte. Its application may have
   * ended by then, and is not remembered again.
   */
  void fetched(MapOutputId id, int partition, int partitions) {
    String application = id.application();
    Fetched known = outputs.get(id);
    if (known == null && hasRoom(application, OUTPUT_BYTES + partitions / Byte.SIZE)) {
      known = outputs.computeIfAbsent(id, key -> new Fetched(partitions));
    }
    if (known != null) {
      known.add(partition);
    }
    if (!running.test(application)) {
      forgetApplication(application);
    }
  }

  private boolean hasRoom(String application, long bytes) {
    return bytesByApplication.getOrDefault(application, 0L) < MOST_BYTES
        && bytesByApplication.merge(application, bytes, Long::sum) <= MOST_BYTES;
  }

  /** The share of the output's partitions that were fetched, 0 to 1; 0 when nothing is known. */
  public double fraction(MapOutputId id) {
    return of(id).fraction();
  }

  /** Nanoseconds since a partition was sent in full; {@link Long#MAX_VALUE} if none was. */
  public long idleNanos(MapOutputId id) {
    return of(id).idleNanos();
  }

  public void forgetApplication(String application) {
    outputs.keySet().removeIf(id -> id.application().equals(application));
    bytesByApplication.remove(application);
  }
}
