// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import io.temptier.tier.marker.NodeMarker;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * What is said of a dir that keeps files away from it: by the NodeManager, that it answers slower
 * than the tier below; by the operator, that it is to be emptied. Asked at most every {@link
 * #REFRESH_MILLIS}. Without a word the dir is neither. Safe for use by many threads.
 */
final class DirNotices {
  /** Neither is known at once; a moment more does not matter. */
  static final long REFRESH_MILLIS = 2_000;

  private record Read(boolean slow, boolean draining, long atMillis) {}

  private final Path dir;
  private final LongSupplier clockMillis;
  private volatile Read last = new Read(false, false, Long.MIN_VALUE / 2);

  DirNotices(Path dir, LongSupplier clockMillis) {
    this.dir = dir;
    this.clockMillis = clockMillis;
  }

  boolean slow() {
    return recent().slow();
  }

  boolean draining() {
    return recent().draining();
  }

  private Read recent() {
    long now = clockMillis.getAsLong();
    Read read = last;
    if (Math.abs(now - read.atMillis()) >= REFRESH_MILLIS) {
      Path state = dir.resolve(NodeMarker.DIR).resolve(NodeMarker.STATE);
      boolean slow = PublishedState.read(state).map(found -> found.slow(now)).orElse(false);
      read = new Read(slow, NodeMarker.draining(dir), now);
      last = read;
    }
    return read;
  }
}
