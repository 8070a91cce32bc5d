// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import com.google.auto.value.AutoValue;
import io.temptier.tier.lang.Immutable;
import io.temptier.tier.text.Sizes;
import java.util.HashMap;
import java.util.Map;

/**
 * Promises in one folder that are not yet written. No sum overflows, however many lies are in it.
 *
 * <p>What the keeper of the local dir and root promise counts in full. What any other user promises
 * counts up to half of the file system: one user must not take the room from all by promises. Our
 * own processes keep to the same bound, so no promise of theirs is left uncounted.
 */
@AutoValue
public abstract class Outstanding {
  /** Divisor of a file system's size, up to which one user's promises count. */
  private static final int MOST_PART = 2;

  public static final Outstanding NONE = of(0, 0, 0);

  /** All that counts; {@link Long#MAX_VALUE} when the folder has too many entries to tell. */
  public abstract long bytes();

  /** Live ledgers that promise something. */
  public abstract int count();

  /** Entries that were corrupt, hostile or too many. */
  public abstract int ignored();

  /** Part of {@code bytes} that users promised who may promise all of it. */
  public abstract long unboundBytes();

  /** Promises of each other user, be it too much. */
  public abstract Map<Integer, Long> byUid();

  private static Outstanding of(
      int count, int ignored, long unbound, Map<Integer, Long> byUid, long totalBytes) {
    return new AutoValue_Outstanding(
        bounded(unbound, byUid, totalBytes), count, ignored, unbound, byUid);
  }

  /** Promises that all count in full: none is of a user with a bound. */
  public static Outstanding of(long bytes, int count, int ignored) {
    return of(count, ignored, bytes, Immutable.mapOf(), 0);
  }

  /** Returns the most that one user may promise of a file system of {@code totalBytes}. */
  static long mostOfUid(long totalBytes) {
    return totalBytes / MOST_PART;
  }

  /** Returns the bytes that count in a dir or file system of {@code totalBytes}. */
  public long counted(long totalBytes) {
    return bounded(unboundBytes(), byUid(), totalBytes);
  }

  private static long bounded(long unbound, Map<Integer, Long> byUid, long totalBytes) {
    long bytes = unbound;
    for (long ofUid : byUid.values()) {
      bytes = Sizes.sum(bytes, Math.min(ofUid, mostOfUid(totalBytes)));
    }
    return bytes;
  }

  /** Adds another folder of the same file system, each user bound in both together. */
  public Outstanding and(Outstanding other, long totalBytes) {
    if (other.count() == 0 && other.ignored() == 0) {
      return this;
    }
    Map<Integer, Long> uids = new HashMap<>(byUid());
    other.byUid().forEach((uid, bytes) -> uids.merge(uid, bytes, Sizes::sum));
    return of(
        count() + other.count(),
        ignored() + other.ignored(),
        Sizes.sum(unboundBytes(), other.unboundBytes()),
        uids,
        totalBytes);
  }

  /** Adds up one reading. For one thread. */
  static final class Tally {
    /** More ledgers of one user are not looked at; that user counts as having promised too much. */
    static final int MOST_OF_UID = 512;

    private static final int UNKNOWN = -1;

    private final long totalBytes;
    private final Map<Integer, Long> byUid = new HashMap<>();
    private final Map<Integer, Integer> entries = new HashMap<>();
    private long unboundBytes;
    private int count;
    private int ignored;

    Tally(long totalBytes) {
      this.totalBytes = totalBytes;
    }

    /** Counts a ledger of a user who is bound; false when it is one too many. */
    boolean admits(int uid) {
      boolean admitted = entries.merge(uid, 1, Integer::sum) <= MOST_OF_UID;
      if (!admitted) {
        ignored++;
        byUid.put(uid, Long.MAX_VALUE);
      }
      return admitted;
    }

    void add(int uid, boolean bound, long bytes) {
      count++;
      if (bound) {
        byUid.merge(uid, bytes, Sizes::sum);
      } else {
        unboundBytes = Sizes.sum(unboundBytes, bytes);
      }
    }

    /** A ledger that nobody can read counts as one of a user who promised too much. */
    void unread() {
      ignored++;
      byUid.put(UNKNOWN, Long.MAX_VALUE);
    }

    void ignore() {
      ignored++;
    }

    /** The sum; {@code crowded} when there were more entries than were read. */
    Outstanding result(boolean crowded) {
      return of(
          count,
          crowded ? ignored + 1 : ignored,
          crowded ? Long.MAX_VALUE : unboundBytes,
          byUid,
          totalBytes);
    }
  }
}
