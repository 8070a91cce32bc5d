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

import java.util.ArrayDeque;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The bound on memory for segments that were read and not yet sent. Who asks while there is none
 * waits his turn without holding a thread.
 *
 * <p>What is read for a client that does not read stays here until it does or goes away. The last
 * quarter is therefore given in the least pieces only, and nobody who holds some already should ask
 * for one: it takes hundreds of such clients before others have to wait for them.
 *
 * <p>Safe for use by many threads.
 */
final class SegmentMemory {
  /** One part in so many is given in least pieces. */
  private static final int RESERVE = 4;

  private record Waiter(long least, LongConsumer granted) {}

  private final long limitBytes;
  private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
  private long usedBytes;
  private long waits;

  /** Memory of {@code limitBytes}. */
  SegmentMemory(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /**
   * Asks for memory.
   *
   * @param want bytes that would be best
   * @param least bytes that will do, at most {@code want}
   * @param granted told how many bytes were granted, from {@code least} to {@code want}: at once on
   *     this thread, or later on one that releases; must be quick
   */
  void acquire(long want, long least, LongConsumer granted) {
    long grant;
    synchronized (this) {
      // More than there is can never come free.
      long modest = Math.min(least, limitBytes);
      long free = limitBytes - usedBytes;
      if (!waiters.isEmpty() || free < modest) {
        waiters.add(new Waiter(modest, granted));
        waits++;
        return;
      }
      grant = Math.max(modest, Math.min(want, free - reserveBytes()));
      usedBytes += grant;
    }
    granted.accept(grant);
  }

  /** Gives bytes back. */
  void release(long bytes) {
    Waiter next;
    synchronized (this) {
      usedBytes -= bytes;
      next = takeWaiter();
    }
    while (next != null) {
      next.granted().accept(next.least());
      next = takeWaiter();
    }
  }

  private synchronized @Nullable Waiter takeWaiter() {
    Waiter next = waiters.peek();
    if (next == null || limitBytes - usedBytes < next.least()) {
      return null;
    }
    usedBytes += next.least();
    return waiters.poll();
  }

  /** Whether only least pieces are left: who can go on without one should. */
  synchronized boolean scarce() {
    return limitBytes - usedBytes <= reserveBytes();
  }

  private long reserveBytes() {
    return limitBytes / RESERVE;
  }

  /** Bytes granted and not given back. */
  synchronized long usedBytes() {
    return usedBytes;
  }

  /** How often somebody had to wait. */
  synchronized long waits() {
    return waits;
  }
}
