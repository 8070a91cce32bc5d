// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a response that were asked for and not yet sent, in the order to send them. Confined
 * to the event loop.
 */
final class PartQueue {
  private final List<Segment> segments;
  private final ArrayDeque<SegmentPart> asked = new ArrayDeque<>();
  private int number;
  private long offset;

  /** Of these segments nothing was asked for. */
  PartQueue(List<Segment> segments) {
    this.segments = segments;
  }

  /** Whether every part was asked for. */
  boolean complete() {
    return number == segments.size();
  }

  /** The segment to ask for a part of. */
  Segment segment() {
    return segments.get(number);
  }

  /** Its bytes that were not asked for. */
  long left() {
    return segment().length() - offset;
  }

  /** Asks for the next so many bytes of it. */
  SegmentPart next(int bytes) {
    SegmentPart part = new SegmentPart(segments.get(number), offset, bytes);
    asked.add(part);
    if (part.last()) {
      number++;
      offset = 0;
    } else {
      offset += bytes;
    }
    return part;
  }

  /** The first part; null when there is none. */
  @Nullable SegmentPart first() {
    return asked.peek();
  }

  /** Takes the first part out. */
  SegmentPart remove() {
    return asked.remove();
  }

  /**
   * Puts a fresh part in the place of the first, of so many bytes.
   *
   * @return whether there is one part more now: what is beyond those bytes stays unread
   */
  boolean cutFirst(int bytes) {
    SegmentPart whole = asked.remove();
    boolean more = bytes < whole.bytes();
    if (more) {
      SegmentPart rest = whole.stretch(bytes, whole.bytes() - bytes);
      rest.leaveUnread();
      asked.addFirst(rest);
    }
    asked.addFirst(whole.stretch(0, bytes));
    return more;
  }

  /** Lets go of all parts. */
  void drop() {
    asked.forEach(SegmentPart::drop);
    asked.clear();
  }
}
