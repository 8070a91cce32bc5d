// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users whose helpers did not do what they should, which each user can bring about: nothing of
 * theirs is moved for a while, longer each time. Safe for use by many threads.
 */
final class SetAside {
  static final Duration FIRST = Duration.ofMinutes(1);
  static final Duration LONGEST = Duration.ofHours(1);

  private static final Logger LOG = LoggerFactory.getLogger(SetAside.class);
  private static final int MOST_DOUBLINGS = 6;

  private static final class Rest {
    int failures;
    long untilNanos;
  }

  private final LongSupplier clockNanos;
  private final Map<String, Rest> rests = new HashMap<>();

  SetAside(LongSupplier clockNanos) {
    this.clockNanos = clockNanos;
  }

  /** Whether nothing of the user is to be moved now. */
  synchronized boolean waits(String user) {
    Rest rest = rests.get(user);
    return rest != null && rest.untilNanos - clockNanos.getAsLong() > 0;
  }

  synchronized int count() {
    return (int) rests.keySet().stream().filter(this::waits).count();
  }

  /** A helper of the user failed. */
  synchronized void failed(ApplicationUser who, String why) {
    Rest rest = rests.computeIfAbsent(who.user(), any -> new Rest());
    Duration wait = FIRST.multipliedBy(1L << Math.min(rest.failures, MOST_DOUBLINGS));
    wait = wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    rest.failures++;
    rest.untilNanos = clockNanos.getAsLong() + wait.toNanos();
    LOG.warn(
        "Map outputs of user {} stay where they are for {}: the helper that moves them as {}, for"
            + " {}, failed: {}. Other users' are moved. Unless the user did that, see that {} can"
            + " run Java, and that the container executor's configuration allows that user",
        who.user(),
        wait,
        who.runAs(),
        who.application(),
        why,
        who.runAs());
  }

  /** A helper of the user did what it should. */
  synchronized void worked(String user) {
    rests.remove(user);
  }
}
