// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.tier.lang.BoundedMap;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The running applications less those that were said to have ended: the two come by different ways,
 * and the earlier one counts. Safe for use by many threads.
 */
final class LiveApplications implements RunningApplications {
  private static final int MOST_ENDED = 10_000;

  private final RunningApplications source;
  private final Set<String> ended =
      Collections.synchronizedSet(Collections.newSetFromMap(BoundedMap.ofNewest(MOST_ENDED)));

  LiveApplications(RunningApplications source) {
    this.source = source;
  }

  /** An application is over; it never runs again. */
  void ended(String application) {
    ended.add(application);
  }

  @Override
  public Optional<Map<String, String>> users() {
    return source
        .users()
        .map(
            users -> {
              Map<String, String> live = new HashMap<>(users);
              live.keySet().removeIf(ended::contains);
              return live;
            });
  }
}
