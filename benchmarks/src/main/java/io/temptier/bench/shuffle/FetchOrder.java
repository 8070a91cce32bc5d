// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import io.temptier.bench.shuffle.MapOutputs.Segment;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * What one fetcher asks for: it plays one reducer after the other, and each wants its partition of
 * every map, in an order of its own, as MapReduce's do. No segment is asked for twice before all of
 * this fetcher's were. Not thread-safe.
 */
final class FetchOrder {
  private final MapOutputs outputs;
  private final int first;
  private final int step;
  private final boolean endless;
  private final Random random;
  private final int[] maps;
  private int partition;
  private int next;

  /**
   * An order.
   *
   * @param fetcher which one this is, counted from 0
   * @param endless whether it begins anew when it is through, and does not end when everything was
   *     asked for once, by all fetchers together
   */
  FetchOrder(MapOutputs outputs, int fetcher, int fetchers, long seed, boolean endless) {
    this.outputs = outputs;
    this.endless = endless;
    // With fewer partitions than fetchers some play the same reducers, or none.
    this.first = endless ? fetcher % outputs.partitions() : fetcher;
    this.step = fetchers;
    this.random = new Random(seed * 31 + fetcher);
    this.maps = new int[outputs.maps()];
    for (int i = 0; i < maps.length; i++) {
      maps[i] = i;
    }
    this.partition = first;
    shuffle();
  }

  /** The next segment; null when there is none. */
  @Nullable Segment next() {
    if (next == maps.length) {
      next = 0;
      partition += step;
      if (endless && partition >= outputs.partitions()) {
        partition = first;
      }
      shuffle();
    }
    if (partition >= outputs.partitions()) {
      return null;
    }
    return outputs.segments().get(maps[next++]).get(partition);
  }

  private void shuffle() {
    for (int i = maps.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int map = maps[i];
      maps[i] = maps[j];
      maps[j] = map;
    }
  }
}
