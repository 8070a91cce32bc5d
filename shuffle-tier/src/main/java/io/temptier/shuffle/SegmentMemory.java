// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import io.temptier.shuffle.output.MapOutputId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A bound on memory, shared by applications. A request that finds none waits its turn without
 * holding a thread.
 *
 * <p>Bytes for a client that has stopped reading stay here until it reads on or goes away. So what
 * an owner holds is bounded by a multiple of what is left afterwards (dynamic thresholds, Choudhury
 * and Hahne 1998): twice for an application, so that one alone gets two thirds, and thrice for a
 * user, so that one alone gets three quarters, however many applications it has. A newcomer always
 * finds some. Pieces become smaller as memory gets scarce, so hundreds of an application's clients
 * must stop before its others have to wait for them.
 *
 * <p>Safe for use by many threads.
 */
final class SegmentMemory {
  private static final int APPLICATIONS_MULTIPLE = 2;
  private static final int USERS_MULTIPLE = 3;

  /** A piece is at most this fraction of what its owner may still have. */
  private static final int PIECES = 64;

  /** Somebody who waits. */
  final class Waiter {
    private final MapOutputId id;
    private final long want;
    private final long least;
    private final LongConsumer granted;

    Waiter(MapOutputId id, long want, long least, LongConsumer granted) {
      this.id = id;
      this.want = want;
      this.least = least;
      this.granted = granted;
    }

    /** Waits no more. He may have been granted some already. */
    void cancel() {
      List<Grant> grants;
      synchronized (SegmentMemory.this) {
        waiters.computeIfPresent(
            id.application(),
            (any, queue) -> {
              queue.remove(this);
              return queue.isEmpty() ? null : queue;
            });
        // Those behind may have waited for this one alone.
        grants = grantWaiting();
      }
      grants.forEach(grant -> grant.granted.accept(grant.bytes));
    }
  }

  private record Grant(LongConsumer granted, long bytes) {}

  private final long limitBytes;
  private final Map<String, Long> heldByUser = new HashMap<>();
  private final Map<String, Long> heldByApplication = new HashMap<>();

  /** By application; whose first was served goes last. */
  private final LinkedHashMap<String, ArrayDeque<Waiter>> waiters = new LinkedHashMap<>();

  private long usedBytes;
  private long waits;

  /** Memory of {@code limitBytes}. */
  SegmentMemory(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /**
   * Asks for memory.
   *
   * @param id for which output: its user and application account for it
   * @param want bytes that would be best
   * @param least bytes that will do, at most {@code want}; more than there is is never granted
   * @param granted told how many bytes were granted, from {@code least} to {@code want}: at once on
   *     this thread, or later on one that releases; must be quick
   * @return who waits now; null when it was granted
   */
  @Nullable Waiter acquire(MapOutputId id, long want, long least, LongConsumer granted) {
    if (least < 0 || want < least) {
      throw new IllegalArgumentException(least + " to " + want + " bytes asked for " + id);
    }
    Waiter asking = new Waiter(id, want, Math.min(least, limitBytes), granted);
    long grant;
    synchronized (this) {
      grant = waiters.containsKey(id.application()) ? 0 : grantable(asking);
      if (grant < asking.least) {
        waiters.computeIfAbsent(id.application(), any -> new ArrayDeque<>()).add(asking);
        waits++;
        return asking;
      }
      take(id, grant);
    }
    granted.accept(grant);
    return null;
  }

  /** What may be granted now; less than the least when nothing may. */
  private long grantable(Waiter asking) {
    long free = limitBytes - usedBytes;
    long most = mostFor(asking.id);
    long grant = Math.min(Math.min(asking.want, most), Math.max(asking.least, most / PIECES));
    boolean nothing = !heldByUser.containsKey(asking.id.user());
    // Who has nothing goes on as long as there is any.
    return grant < asking.least && nothing && free >= asking.least ? asking.least : grant;
  }

  private long mostFor(MapOutputId id) {
    long free = limitBytes - usedBytes;
    return Math.min(
        share(APPLICATIONS_MULTIPLE, free, heldBy(id)),
        share(USERS_MULTIPLE, free, heldByUser.getOrDefault(id.user(), 0L)));
  }

  /** The most that an owner may get so that it holds at most a multiple of what is free then. */
  private static long share(int multiple, long free, long held) {
    return Math.max(0, (multiple * free - held) / (multiple + 1));
  }

  private long heldBy(MapOutputId id) {
    return heldByApplication.getOrDefault(id.application(), 0L);
  }

  private void take(MapOutputId id, long bytes) {
    usedBytes += bytes;
    heldByUser.merge(id.user(), bytes, Long::sum);
    heldByApplication.merge(id.application(), bytes, Long::sum);
  }

  /**
   * Gives bytes back that were granted for {@code id}.
   *
   * @throws IllegalArgumentException when that is more than was granted
   */
  void release(MapOutputId id, long bytes) {
    List<Grant> grants;
    synchronized (this) {
      if (bytes < 0 || bytes > heldBy(id)) {
        throw new IllegalArgumentException(
            bytes + " bytes given back for " + id + ", which holds " + heldBy(id));
      }
      usedBytes -= bytes;
      subtract(heldByUser, id.user(), bytes);
      subtract(heldByApplication, id.application(), bytes);
      grants = grantWaiting();
    }
    grants.forEach(grant -> grant.granted.accept(grant.bytes));
  }

  private static void subtract(Map<String, Long> held, String who, long bytes) {
    held.computeIfPresent(who, (any, before) -> before == bytes ? null : before - bytes);
  }

  private List<Grant> grantWaiting() {
    List<Grant> grants = new ArrayList<>();
    boolean more = !waiters.isEmpty();
    while (more) {
      more = false;
      for (String application : List.copyOf(waiters.keySet())) {
        ArrayDeque<Waiter> queue = Objects.requireNonNull(waiters.get(application));
        Waiter first = queue.element();
        long grant = grantable(first);
        if (grant >= first.least) {
          take(first.id, grant);
          grants.add(new Grant(queue.remove().granted, grant));
          waiters.remove(application);
          if (!queue.isEmpty()) {
            waiters.put(application, queue);
          }
          more = true;
        }
      }
    }
    return grants;
  }

  /** Whether the output's application has used less than half of what it may have alone. */
  synchronized boolean hasPlenty(MapOutputId id) {
    return waiters.isEmpty() && mostFor(id) >= share(APPLICATIONS_MULTIPLE, limitBytes, 0) / 2;
  }

  /** Whether somebody waits. */
  synchronized boolean isAwaited() {
    return !waiters.isEmpty();
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
