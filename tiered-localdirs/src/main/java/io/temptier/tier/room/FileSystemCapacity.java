// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import io.temptier.tier.marker.NodeMarker;
import io.temptier.tier.os.Capacity;
import io.temptier.tier.os.InodeCounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The real capacity probe. Usable bytes are asked on every call (one {@code statvfs}, about a
 * microsecond); the size, which rarely changes, and the inodes, which are dearer, at most every
 * {@link #INODES_MAX_AGE_MILLIS}, the inodes from what the NodeManager published where that is
 * fresh.
 */
public final class FileSystemCapacity implements Capacity.Probe {
  /** Inodes are used up slower than bytes: by files, not by writes. */
  static final long INODES_MAX_AGE_MILLIS = 10_000;

  private static final class Aged {
    final long totalBytes;
    final InodeCounts counts;
    final DirtyBytes dirty;
    final long atMillis;

    Aged(Path dir, long now) throws IOException {
      this.totalBytes = totalBytes(dir);
      this.counts = publishedOrAsked(dir, now);
      this.dirty = DirtyBytes.of(dir);
      this.atMillis = now;
    }

    boolean fresh(long now) {
      return Math.abs(now - atMillis) <= INODES_MAX_AGE_MILLIS;
    }
  }

  private final Map<Path, Aged> cache = new ConcurrentHashMap<>();

  @Override
  public Capacity probe(Path dir) throws IOException {
    long now = System.currentTimeMillis();
    Aged aged = cache.get(dir);
    if (aged == null || !aged.fresh(now)) {
      aged = new Aged(dir, now);
      cache.put(dir, aged);
    }
    // What is counted meanwhile counts twice, never not at all.
    long dirty = aged.dirty.get();
    long usable = dir.toFile().getUsableSpace();
    if (usable == 0) {
      // Full, or gone, which only the size can tell.
      totalBytes(dir);
    }
    long left = Math.max(0, usable - dirty);
    return Capacity.of(aged.totalBytes, left, aged.counts.total(), aged.counts.free());
  }

  private static long totalBytes(Path dir) throws IOException {
    long total = dir.toFile().getTotalSpace();
    if (total == 0) {
      throw new IOException(dir + " is missing or its file system does not answer");
    }
    return total;
  }

  private static InodeCounts publishedOrAsked(Path dir, long now) {
    // In a container our folder is asked: see MountGuard.
    Path folder = dir.endsWith(NodeMarker.DIR) ? dir : dir.resolve(NodeMarker.DIR);
    Path state = folder.resolve(NodeMarker.STATE);
    PublishedState published = PublishedState.read(state).orElse(null);
    return published != null && Math.abs(now - published.atMillis()) < 3 * INODES_MAX_AGE_MILLIS
        ? InodeCounts.of(published.totalInodes(), published.freeInodes())
        : InodeCounts.of(dir);
  }
}
