/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.shuffle;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * A segment of a response, with its file once that is open. Opened on a lane, closed on the event
 * loop, whichever comes first. Safe for use by both.
 */
final class SegmentSlot {
  private Segment segment;
  private @Nullable OpenSegment open;
  private boolean closed;
  private boolean lookedUpAgain;

  SegmentSlot(Segment segment) {
    this.segment = segment;
  }

  synchronized Segment segment() {
    return segment;
  }

  /**
   * The open segment, with a reference for the caller.
   *
   * @throws ClosedChannelException when the response was given up
   * @throws IOException when it cannot be opened
   */
  synchronized OpenSegment open() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    if (open == null) {
      open = OpenSegment.open(segment);
    }
    open.retain();
    return open;
  }

  /** Closes the file until it is needed again. */
  synchronized void closeForNow() {
    if (open != null) {
      open.release();
      open = null;
    }
  }

  /** Tells the kernel that what was sent need not stay in memory. */
  synchronized void dropFromPageCache() {
    if (open != null) {
      open.dropFromPageCache();
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
