// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.netty.util.ReferenceCounted;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of one segment: asked for, then ready, then sent. Holds the memory it was granted.
 * Confined to the event loop, but for what is final.
 */
final class SegmentPart {
  private static final int MOST_LOOK_UPS = 3;

  private final SegmentSlot slot;
  private final long offset;
  private final int bytes;
  private final long askedNanos = System.nanoTime();
  private int lookUps;
  private @Nullable SegmentMemory memory;
  private long grantedBytes;
  private @Nullable ReferenceCounted payload;

  /** The part of {@code bytes} that begins at {@code offset} of the slot's segment. */
  SegmentPart(SegmentSlot slot, long offset, int bytes) {
    this.slot = slot;
    this.offset = offset;
    this.bytes = bytes;
  }

  SegmentSlot slot() {
    return slot;
  }

  long offset() {
    return offset;
  }

  int bytes() {
    return bytes;
  }

  long askedNanos() {
    return askedNanos;
  }

  boolean first() {
    return offset == 0;
  }

  boolean last() {
    return offset + bytes == slot.segment().length();
  }

  /** Whether its output may be looked for once more: it may move while it is read. */
  boolean mayLookUpAgain() {
    return ++lookUps <= MOST_LOOK_UPS;
  }

  /** Holds memory of this kind from now on. */
  void granted(SegmentMemory from, long granted) {
    memory = from;
    grantedBytes = granted;
  }

  /** The memory it holds some of; null when none. */
  @Nullable SegmentMemory memory() {
    return grantedBytes > 0 ? memory : null;
  }

  /** Gives back the memory beyond {@code kept} bytes. */
  void releaseBeyond(long kept) {
    SegmentMemory from = memory;
    if (from != null && grantedBytes > kept) {
      long surplus = grantedBytes - kept;
      grantedBytes = kept;
      from.release(slot.segment().id(), surplus);
    }
  }

  /** Takes what is to be sent. */
  void ready(ReferenceCounted read) {
    payload = read;
  }

  /** Whether it can be sent. */
  boolean ready() {
    return payload != null;
  }

  /** Hands over what is to be sent. */
  ReferenceCounted takePayload() {
    ReferenceCounted taken = Objects.requireNonNull(payload, "not ready");
    payload = null;
    return taken;
  }

  /** Lets go of what is not to be sent any more; what is still being read keeps its memory. */
  void drop() {
    if (payload != null) {
      payload.release();
      payload = null;
      releaseBeyond(0);
    }
  }
}
