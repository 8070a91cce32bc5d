// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.output;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Which stretches of a data file a lane brought into the page cache a moment ago. What lies in them
 * on a fast device is sent without another trip to the lane: reducers ask for neighbouring segments
 * at about the same time, and the trip costs more than the read. On a slow one it is read by
 * itself, without what is around it.
 *
 * <p>The kernel may drop pages sooner than we forget them; then a read of a fast device, and of
 * none else, happens on an event loop. Safe for use by many threads.
 */
public final class WarmBlocks {
  /** Bytes of a block. */
  public static final long BLOCK_BYTES = 256 << 10;

  /** How long a block counts as warm: short enough that only a machine out of memory drops it. */
  public static final long WARM_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** More are not remembered. */
  private static final int MOST_BLOCKS = 256;

  private final Map<Long, Long> warmedNanos = new ConcurrentHashMap<>();

  /** Says that a block was brought in. */
  public void warmed(long block) {
    if (warmedNanos.size() >= MOST_BLOCKS) {
      warmedNanos.clear();
    }
    warmedNanos.put(block, System.nanoTime());
  }

  /** Says that a stretch was dropped from the page cache. */
  public void dropped(long from, long to) {
    for (long block = firstBlock(from); block <= lastBlock(from, to); block++) {
      warmedNanos.remove(block);
    }
  }

  /** Whether a block is warm. */
  public boolean isWarm(long block) {
    Long warmed = warmedNanos.get(block);
    return warmed != null && System.nanoTime() - warmed < WARM_NANOS;
  }

  /** Whether a stretch is warm, and at least the block it begins in. */
  public boolean isWarm(long from, long to) {
    for (long block = firstBlock(from); block <= lastBlock(from, to); block++) {
      if (!isWarm(block)) {
        return false;
      }
    }
    return true;
  }

  /** The number of the block where a stretch begins. */
  public static long firstBlock(long from) {
    return from / BLOCK_BYTES;
  }

  /** The number of the block where it ends; the first when it is empty. */
  public static long lastBlock(long from, long to) {
    return Math.max(from, to - 1) / BLOCK_BYTES;
  }
}
