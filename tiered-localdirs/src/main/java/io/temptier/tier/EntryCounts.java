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
package io.temptier.tier;

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
