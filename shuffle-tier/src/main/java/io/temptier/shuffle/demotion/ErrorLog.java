// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.tier.LocalDir;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the first error of each dir, counts the rest, and says when it is over. Thread-safe. */
final class ErrorLog {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorLog.class);

  private final DemotionTally tally;
  private final Map<LocalDir, Long> errors = new HashMap<>();

  ErrorLog(DemotionTally tally) {
    this.tally = tally;
  }

  /** Demotion from {@code dir} failed. */
  synchronized void failed(LocalDir dir, Exception error) {
    tally.add(DemotionCounter.DEMOTION_FAILURES, 1);
    if (errors.merge(dir, 1L, Long::sum) == 1) {
      LOG.warn(
          "Cannot demote from {}: {}. What lies there stays readable, and new files go to the next"
              + " tier once it is full. Check the disks named. Tried again soon, not logged"
              + " again until it works",
          dir,
          error.getMessage(),
          error);
    }
  }

  /** Demotion from {@code dir} worked. */
  synchronized void worked(LocalDir dir) {
    Long before = errors.remove(dir);
    if (before != null) {
      LOG.info("Demoting from {} again, after {} errors", dir, before);
    }
  }
}
