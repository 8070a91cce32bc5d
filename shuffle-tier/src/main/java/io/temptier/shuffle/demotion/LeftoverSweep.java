// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.tier.LocalDir;
import io.temptier.tier.os.thread.TimedCalls.LateException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that what an earlier process left of moves out of a dir is removed: the dir is looked
 * through once for each application, and again where something is left. For one thread, but for
 * {@link #again}.
 */
final class LeftoverSweep {
  /** A dir that hangs does so for minutes at least. */
  static final long AGAIN_NANOS = Duration.ofMinutes(5).toNanos();

  private static final Logger LOG = LoggerFactory.getLogger(LeftoverSweep.class);
  private static final long NEVER = Long.MAX_VALUE;

  @FunctionalInterface
  interface Cleaner {
    /**
     * Looks through a dir.
     *
     * @return false when it could not be removed now
     * @throws LateException when another dir did not tell all that had to be known
     */
    boolean clean(LocalDir dir, String user, String application) throws IOException;
  }

  private final LocalDir dir;
  private final Cleaner cleaner;
  private final DemotionTally tally;
  private final LongSupplier clockNanos;

  /** Times when applications that were looked through are so again. */
  private final Map<String, Long> dueNanos = new ConcurrentHashMap<>();

  /** Applications whose trouble is in the log. */
  private final Set<String> reported = new HashSet<>();

  /** Makes a sweep that has looked at nothing yet; the clock is in nanoseconds. */
  LeftoverSweep(LocalDir dir, Cleaner cleaner, DemotionTally tally, LongSupplier clockNanos) {
    this.dir = dir;
    this.cleaner = cleaner;
    this.tally = tally;
    this.clockNanos = clockNanos;
  }

  /**
   * Looks the dir through for the applications for which that is due.
   *
   * @param users of the applications that run, by their id
   * @param stopped whether to stop, asked before each application
   */
  void round(Map<String, String> users, BooleanSupplier stopped) {
    dueNanos.keySet().retainAll(users.keySet());
    reported.retainAll(users.keySet());
    users.forEach(
        (application, user) -> {
          Long due = dueNanos.get(application);
          if (!stopped.getAsBoolean()
              && (due == null || (due != NEVER && clockNanos.getAsLong() - due >= 0))) {
            dueNanos.put(application, NEVER);
            lookThrough(user, application);
          }
        });
  }

  private void lookThrough(String user, String application) {
    try {
      if (cleaner.clean(dir, user, application)) {
        return;
      }
    } catch (LateException | InterruptedIOException | AccessDeniedException e) {
      LOG.debug("{} is looked through again in {}", application, dir, e);
    } catch (IOException | RuntimeException e) {
      tally.add(DemotionCounter.DEMOTION_FAILURES, 1);
      if (reported.add(application)) {
        LOG.warn(
            "Cannot remove all that demotion left of {} in {}; tried again every {}, and gone with"
                + " the application",
            application,
            dir,
            Duration.ofNanos(AGAIN_NANOS),
            e);
      }
    }
    dueNanos.put(application, clockNanos.getAsLong() + AGAIN_NANOS);
  }

  /** Something may be left of an application: it is looked for soon. */
  void again(String application) {
    dueNanos.remove(application);
  }
}
