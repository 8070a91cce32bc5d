// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.claim;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts the entries of each user in a folder of claims, up to {@link Claims#MAX_ENTRIES_OF_USER}
 * that promise bytes and as many that promise none. Those that promise none are counted apart,
 * since every process keeps some for its next files: where all jobs run as one user they must not
 * use up what that user may promise. For use by one thread.
 */
final class EntryCounts {
  private final Map<Integer, Integer> promises = new HashMap<>();
  private final Map<Integer, Integer> spares = new HashMap<>();

  /**
   * Counts an entry; false when it is one too many.
   *
   * @param bytes that it promises by its name
   */
  boolean admits(int uid, long bytes) {
    Map<Integer, Integer> entries = bytes == 0 ? spares : promises;
    return entries.merge(uid, 1, Integer::sum) <= Claims.MAX_ENTRIES_OF_USER;
  }

  /** Whether a user had more entries that promise bytes than were admitted. */
  boolean tooManyPromises(int uid) {
    return promises.getOrDefault(uid, 0) > Claims.MAX_ENTRIES_OF_USER;
  }
}
