// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import io.temptier.tier.marker.NodeMarker;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * What is said of a dir that keeps files away from it: by the NodeManager, that it answers slower
 * than the tier below; by the operator, that it is to be emptied. Without a word the dir is
 * neither. Safe for use by many threads.
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

  /** As of the last {@link #refresh}. */
  boolean slow() {
    return last.slow();
  }

  /** As of the last {@link #refresh}. */
  boolean draining() {
    return last.draining();
  }

  /** Reads them, where the last time was {@link #REFRESH_MILLIS} ago: takes as long as the disk. */
  void refresh() {
    long now = clockMillis.getAsLong();
    if (Math.abs(now - last.atMillis()) >= REFRESH_MILLIS) {
      Path state = dir.resolve(NodeMarker.DIR).resolve(NodeMarker.STATE);
      boolean slow = PublishedState.read(state).map(found -> found.slow(now)).orElse(false);
      last = new Read(slow, NodeMarker.draining(dir), now);
    }
  }
}
