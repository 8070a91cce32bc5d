// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The applications whose folders in one dir were looked through for leftovers: each once, unless
 * something is left. Safe for use by many threads.
 */
final class CleanupSchedule {
  /** A dir that hangs does so for minutes at least. */
  static final long AGAIN_NANOS = Duration.ofMinutes(5).toNanos();

  private final LongSupplier clockNanos;
  private final Set<String> applications = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> unansweredNanos = new ConcurrentHashMap<>();

  /** None yet; the clock is in nanoseconds. */
  CleanupSchedule(LongSupplier clockNanos) {
    this.clockNanos = clockNanos;
  }

  /** Forgets all but the running applications. */
  void retain(Set<String> running) {
    applications.retainAll(running);
    unansweredNanos.keySet().retainAll(running);
  }

  /** Whether an application is to be looked through now; it counts as such from then on. */
  boolean begin(String application) {
    Long since = unansweredNanos.get(application);
    if (since != null && clockNanos.getAsLong() - since >= AGAIN_NANOS) {
      unansweredNanos.remove(application);
      applications.remove(application);
    }
    return applications.add(application);
  }

  /** A dir did not tell all that had to be known: it is looked through again in a while. */
  void unanswered(String application) {
    unansweredNanos.putIfAbsent(application, clockNanos.getAsLong());
  }

  /** It is looked through again at the next opportunity. */
  void again(String application) {
    applications.remove(application);
  }
}
