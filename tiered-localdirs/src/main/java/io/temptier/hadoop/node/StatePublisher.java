// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.tier.os.InodeCounts;
import io.temptier.tier.room.DirectoryUsage;
import io.temptier.tier.room.PublishedState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What is published of one root, put together from what two threads find out: one measures, which
 * may take minutes, the other hears whether the dir is slow. Nothing is published before something
 * was measured. Safe for use by many threads.
 */
final class StatePublisher {
  /** Readers believe that a dir is slow for three times as long. */
  private static final long REPEAT_MILLIS = 10_000;

  private final Path file;
  private final LongSupplier clockMillis;
  private boolean slow;
  private @Nullable PublishedState published;

  /**
   * A publisher.
   *
   * @param clockMillis wall clock
   */
  StatePublisher(Path file, LongSupplier clockMillis) {
    this.file = file;
    this.clockMillis = clockMillis;
  }

  /**
   * Publishes what was measured.
   *
   * @throws IOException when it cannot be written
   */
  synchronized void measured(DirectoryUsage.Usage usage, InodeCounts inodes) throws IOException {
    long now = clockMillis.getAsLong();
    publish(new PublishedState(now, usage, inodes.total(), inodes.free(), slow ? now : 0));
  }

  /**
   * Publishes whether the dir is slow, where that is news or was said a while ago.
   *
   * @throws IOException when it cannot be written; said again the next time
   */
  synchronized void slow(boolean isSlow) throws IOException {
    slow = isSlow;
    PublishedState last = published;
    if (last == null) {
      return;
    }
    long now = clockMillis.getAsLong();
    boolean was = last.slowAtMillis() > 0;
    if (isSlow != was || (isSlow && Math.abs(now - last.slowAtMillis()) >= REPEAT_MILLIS)) {
      publish(
          new PublishedState(
              last.atMillis(),
              last.usage(),
              last.totalInodes(),
              last.freeInodes(),
              isSlow ? now : 0));
    }
  }

  private void publish(PublishedState state) throws IOException {
    state.write(file);
    published = state;
  }
}
