// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.room;

import io.temptier.tier.marker.NodeMarker;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Whether the NodeManager says of a dir that it answers slower than the tier below, asked at most
 * every {@link #REFRESH_MILLIS}. Without a word from it, the dir is not slow. Safe for use by many
 * threads.
 */
final class SlowNotice {
  /** It takes half a minute to find out; a moment more does not matter. */
  static final long REFRESH_MILLIS = 2_000;

  private record Read(boolean slow, long atMillis) {}

  private final Path state;
  private final LongSupplier clockMillis;
  private volatile Read last = new Read(false, Long.MIN_VALUE / 2);

  SlowNotice(Path dir, LongSupplier clockMillis) {
    this.state = dir.resolve(NodeMarker.DIR).resolve(NodeMarker.STATE);
    this.clockMillis = clockMillis;
  }

  boolean slow() {
    long now = clockMillis.getAsLong();
    Read read = last;
    if (Math.abs(now - read.atMillis()) >= REFRESH_MILLIS) {
      boolean slow = PublishedState.read(state).map(found -> found.slow(now)).orElse(false);
      read = new Read(slow, now);
      last = read;
    }
    return read.slow();
  }
}
