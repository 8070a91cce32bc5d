// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import io.temptier.tier.marker.NodeMarker;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The bytes under a capped dir, from the walk that the NodeManager published where that is recent,
 * else from a walk of this process. Walks rest many times their own duration, so every number is
 * some seconds old; claims bridge that time (see {@link #covers}).
 *
 * <p>A walk that may not list every folder tells too little. Then all that is used on the file
 * system counts as lying under the dir: that is never too little, and too much where others use it.
 *
 * <p>Safe for use by many threads, one of which measures at a time.
 */
public final class CapUsage {
  /** Resting this many times a walk's own duration, walks cost at most 5 % of one core. */
  public static final int REST_FACTOR = 20;

  /** The least age of a walk that another process may still be counting from. */
  public static final long WALK_AGE_MILLIS = 3_000;

  /** Time without a new state after which processes walk themselves. */
  private static final long PUBLISHED_MILLIS = 30_000;

  private final Path dir;
  private final long refreshMillis;
  private final LongSupplier clockMillis;
  private volatile DirectoryUsage.Usage usage = DirectoryUsage.Usage.UNKNOWN;
  private volatile long oldestUsedMillis;
  private volatile boolean published;
  private long tookMillis;

  public CapUsage(Path dir, long refreshMillis, LongSupplier clockMillis) {
    this.dir = dir;
    this.refreshMillis = refreshMillis;
    this.clockMillis = clockMillis;
  }

  public synchronized long bytes() {
    long now = clockMillis.getAsLong();
    long rest = Math.max(refreshMillis, tookMillis * REST_FACTOR);
    Path state = dir.resolve(NodeMarker.DIR).resolve(NodeMarker.STATE);
    Optional<DirectoryUsage.Usage> other =
        PublishedState.read(state)
            .filter(found -> Math.abs(now - found.atMillis()) < PUBLISHED_MILLIS)
            .map(PublishedState::usage)
            .filter(DirectoryUsage.Usage::known);
    published = other.isPresent();
    if (other.isPresent()) {
      if (!usage.known() || age(other.get(), now) < age(usage, now)) {
        usage = other.get();
      }
    } else if (!usage.known() || age(usage, now) >= rest) {
      // The wall clock may jump meanwhile, and walks would rest for twenty times that.
      long began = System.nanoTime();
      usage = DirectoryUsage.measure(real(dir), clockMillis);
      tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    }
    oldestUsedMillis = Math.max(oldestUsedMillis, age(usage, clockMillis.getAsLong()));
    // Bytes used by anybody; what an administrator keeps for root is not used.
    File file = dir.toFile();
    long used = file.getTotalSpace() - file.getFreeSpace();
    if (used == 0) {
      return usage.bytes(); // The file system did not tell.
    }
    // Files may have holes: no more lies here than is used of the file system.
    return usage.complete() ? Math.min(usage.bytes(), used) : used;
  }

  /** Returns a usage's age; one ahead of a clock that was set back is as old as it is ahead. */
  private static long age(DirectoryUsage.Usage usage, long nowMillis) {
    return Math.abs(nowMillis - usage.startedMillis());
  }

  /** A root may be a link to where its disk is mounted; a walk does not follow links. */
  private static Path real(Path dir) {
    try {
      return dir.toRealPath();
    } catch (IOException e) {
      return dir;
    }
  }

  /** Returns the start of the walk behind the last {@link #bytes}; 0 before the first. */
  public long startedMillis() {
    return usage.startedMillis();
  }

  /**
   * Returns the time after a write when every process of the node has counted it. Until then its
   * claim must stand, or a process with an older walk sees neither the claim nor the bytes. Where a
   * NodeManager publishes its walk, every process reads that one, after the claims, so none is
   * needed. Elsewhere each process walks for itself and cannot know the age of the others' walks.
   * They take about as long everywhere, so twice the age of the oldest walk that this process used
   * is taken.
   */
  public long seenByAllMillis() {
    return published ? 0 : Math.max(WALK_AGE_MILLIS, 2 * oldestUsedMillis);
  }

  /** True if every process counts what lay here at {@code observedMillis}, this long ago. */
  public boolean covers(long observedMillis, long agoMillis) {
    if (agoMillis < seenByAllMillis()) {
      return false;
    }
    bytes();
    return startedMillis() > observedMillis;
  }
}
