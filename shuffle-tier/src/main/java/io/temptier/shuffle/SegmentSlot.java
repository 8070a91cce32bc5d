// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A segment of a response, with its file once that is open. Opened on a lane, closed on the event
 * loop, whichever comes first. Safe for use by both.
 */
final class SegmentSlot {
  private final RecentFiles files;
  private Segment segment;
  private @Nullable OpenSegment open;
  private boolean closed;
  private boolean lookedUpAgain;

  /**
   * A slot.
   *
   * @param files keeps open what it opens
   */
  SegmentSlot(Segment segment, RecentFiles files) {
    this.segment = segment;
    this.files = files;
  }

  synchronized Segment segment() {
    return segment;
  }

  /**
   * The open segment, with a reference for the caller. On a lane only.
   *
   * @throws ClosedChannelException when the response was given up
   * @throws IOException when it cannot be opened
   */
  OpenSegment open() throws IOException {
    OpenSegment known = openNow();
    if (known != null) {
      return known;
    }
    Segment now;
    synchronized (this) {
      if (closed) {
        throw new ClosedChannelException();
      }
      now = segment;
    }
    // Without the lock: this may take for ever, and the event loop needs the slot.
    OpenSegment opened = OpenSegment.open(now);
    if (!now.lane().slow() && now.length() < WarmBlocks.BLOCK_BYTES) {
      // Others will ask for its neighbours in the same block.
      files.keep(now.warm(), opened.file());
    }
    synchronized (this) {
      if (!closed && open == null && now.equals(segment)) {
        opened.retain();
        open = opened;
      }
    }
    return opened;
  }

  /** The same when the file is open already; else null. */
  synchronized @Nullable OpenSegment openNow() {
    OpenSegment known = open;
    if (known == null && !closed) {
      OpenFile file = files.find(segment.warm());
      known = file == null ? null : new OpenSegment(segment, file);
      open = known;
    }
    if (known != null) {
      known.retain();
    }
    return known;
  }

  /** Closes the file until it is needed again. */
  synchronized void closeForNow() {
    if (open != null) {
      open.release();
      open = null;
    }
  }

  /**
   * Tells the kernel that what was sent need not stay in memory, as Hadoop does; on its lane where
   * that may take time.
   */
  void dropFromPageCache() {
    OpenSegment known = openNow();
    if (known == null) {
      return;
    }
    Runnable drop =
        () -> {
          known.dropFromPageCache();
          known.release();
        };
    DeviceLane lane = known.segment().lane();
    try {
      if (lane.slow()) {
        lane.submit(LaneQueue.Job.lookUp(known.segment().id().user(), drop));
      } else {
        drop.run();
      }
    } catch (RejectedExecutionException e) {
      known.release();
    }
  }

  /** Gives the segment up. Parts that are being read or sent keep the file open. */
  synchronized void close() {
    closed = true;
    closeForNow();
  }

  /** Whether the output may be looked for once more: true the first time. */
  synchronized boolean mayLookUpAgain() {
    boolean first = !lookedUpAgain;
    lookedUpAgain = true;
    return first;
  }

  /**
   * Takes where the output is now.
   *
   * @throws IOException when the output is another one than that whose length was announced
   */
  synchronized void moved(Segment now) throws IOException {
    if (now.offset() != segment.offset()
        || now.length() != segment.length()
        || now.rawLength() != segment.rawLength()) {
      throw new IOException(segment.data() + " was replaced by a different " + now.data());
    }
    segment = now;
  }
}
