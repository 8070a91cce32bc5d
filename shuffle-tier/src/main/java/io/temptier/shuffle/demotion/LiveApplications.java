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
package io.temptier.shuffle.demotion;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
      Collections.synchronizedSet(
          Collections.newSetFromMap(
              new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                  return size() > MOST_ENDED;
                }
              }));

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
