// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import io.temptier.tier.Sizes;
import io.temptier.tier.lang.Immutable;
import java.util.HashMap;
import java.util.Map;

/**
 * Adds up claims; no sum overflows, however many lies are in it. For use by one thread.
 *
 * <p>What the user of the local dirs and root claim counts in full. What any other user claims
 * counts up to a share of the file system and a number of entries ({@link EntryCounts}): one user
 * must not take the room from all by promises. Our own processes keep to the same bounds, so no
 * promise of theirs is left uncounted.
 */
public final class ClaimTally {
  /** One user's promises count up to this part of a file system. */
  private static final int MOST_PART = 2;

  private final long totalBytes;
  private final Map<String, Long> byApplication = new HashMap<>();
  private final Map<Integer, Long> byUid = new HashMap<>();
  private final EntryCounts entries = new EntryCounts();
  private long unboundBytes;
  private int count;
  private int ignored;

  ClaimTally(long totalBytes) {
    this.totalBytes = totalBytes;
  }

  /** What one user's promises may come to on a file system of {@code totalBytes}. */
  static long mostOfUid(long totalBytes) {
    return totalBytes / MOST_PART;
  }

  /** Counts an entry of a user who is bound; false when it is one too many. */
  boolean admits(int uid, long bytes) {
    return entries.admits(uid, bytes);
  }

  /** Counts bytes of a user who is not bound. */
  void addUnbound(long bytes) {
    count++;
    unboundBytes = Sizes.sum(unboundBytes, bytes);
  }

  /** Counts bytes of a user who is bound. */
  void add(int uid, long bytes) {
    count++;
    byUid.merge(uid, bytes, Sizes::sum);
  }

  /** Counts bytes of an application. */
  void add(String application, long bytes) {
    byApplication.merge(application, bytes, Sizes::sum);
  }

  /** Entries that were not believed. */
  int ignored() {
    return ignored;
  }

  /** Counts an entry that is not believed. */
  void ignore() {
    ignored++;
  }

  /**
   * The result.
   *
   * @param crowded whether there were more entries than were read
   * @param selfUid the user of this process, who has no more room with too many promises
   */
  Claims.Outstanding result(boolean crowded, int selfUid) {
    if (entries.tooManyPromises(selfUid)) {
      byUid.put(selfUid, Long.MAX_VALUE);
    }
    if (crowded) {
      unboundBytes = Long.MAX_VALUE;
      ignored++;
    }
    return count == 0 && ignored == 0
        ? Claims.Outstanding.NONE
        : Claims.Outstanding.of(
            bounded(unboundBytes, byUid, totalBytes),
            count,
            ignored,
            Immutable.copyOf(byApplication),
            unboundBytes,
            Immutable.copyOf(byUid));
  }

  /** What of claims counts in a dir or file system of {@code totalBytes}. */
  public static long counted(Claims.Outstanding claims, long totalBytes) {
    return bounded(claims.unboundBytes(), claims.byUid(), totalBytes);
  }

  private static long bounded(long unbound, Map<Integer, Long> byUid, long totalBytes) {
    long bytes = unbound;
    for (long ofUid : byUid.values()) {
      bytes = Sizes.sum(bytes, Math.min(ofUid, mostOfUid(totalBytes)));
    }
    return bytes;
  }

  /** The claims of two folders, each user bound in both together. */
  public static Claims.Outstanding together(
      Claims.Outstanding a, Claims.Outstanding b, long totalBytes) {
    if (b.count() == 0 && b.ignored() == 0) {
      return a;
    }
    Map<Integer, Long> byUid = new HashMap<>(a.byUid());
    b.byUid().forEach((uid, bytes) -> byUid.merge(uid, bytes, Sizes::sum));
    long unbound = Sizes.sum(a.unboundBytes(), b.unboundBytes());
    return Claims.Outstanding.of(
        bounded(unbound, byUid, totalBytes),
        a.count() + b.count(),
        a.ignored() + b.ignored(),
        a.byApplication(),
        unbound,
        byUid);
  }
}
