// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

/**
 * Bytes that this process wrote in a dir lately. They are on their way to the disk, and the
 * NodeManager's news of it are seconds old, in which a process that writes many files would choose
 * the same disk again and again. They fade by half in {@link #HALF_LIFE_NANOS}. Safe for use by
 * many threads.
 */
final class RecentBytes {
  /** Half-life: by then the NodeManager has told of half of the bytes or more. */
  static final long HALF_LIFE_NANOS = 10_000_000_000L;

  /** Finer differences say nothing of two disks, as in the NodeManager's news. */
  private static final long STEP_BYTES = 1 << 20;

  private double bytes;
  private long atNanos;

  synchronized void add(long more, long nowNanos) {
    bytes = at(nowNanos) + more;
    atNanos = nowNanos;
  }

  /** Returns the bytes that count now, in steps of 1 MiB. */
  synchronized long get(long nowNanos) {
    long steps = (long) (at(nowNanos) / STEP_BYTES);
    return steps * STEP_BYTES;
  }

  private double at(long nowNanos) {
    return bytes == 0 ? 0 : bytes * Math.pow(0.5, (double) (nowNanos - atNanos) / HALF_LIFE_NANOS);
  }
}
