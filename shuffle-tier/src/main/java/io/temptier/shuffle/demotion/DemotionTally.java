// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.tier.LocalDir;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The numbers of demotion, and why it is off, where it is. Of the errors of a dir the first is
 * logged, and when it is over. Safe for use by many threads.
 */
class DemotionTally {
  private static final Logger LOG = LoggerFactory.getLogger(DemotionTally.class);

  private final Map<LocalDir, Long> errors = new ConcurrentHashMap<>();
  private final Map<DemotionCounter, Long> values = new ConcurrentHashMap<>();

  private @Nullable String offReason;
  private boolean offForGood;
  private volatile boolean toldUnread;

  /** Adds to a number; to a flag 1 or -1, so that it is up while anybody does what it tells of. */
  void add(DemotionCounter counter, long amount) {
    values.merge(counter, amount, Long::sum);
  }

  long get(DemotionCounter counter) {
    if (counter == DemotionCounter.DEMOTION_OFF) {
      return offReason().isPresent() ? 1 : 0;
    }
    long value = values.getOrDefault(counter, 0L);
    return counter.definition().type() == TierCounter.Type.GAUGE ? Math.min(1, value) : value;
  }

  void failed(LocalDir dir, Exception error) {
    add(DemotionCounter.DEMOTION_FAILURES, 1);
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

  /** Counts outputs that could not be read, or cleaned up after; others' outputs move. */
  void unread(Exception error) {
    add(DemotionCounter.DEMOTION_FAILURES, 1);
    if (!toldUnread) {
      toldUnread = true;
      LOG.warn(
          "Map outputs of an application cannot be read, or what a move left not be removed; the"
              + " others move: {}. Check the disk; not logged again",
          error.getMessage(),
          error);
    }
  }

  void worked(LocalDir dir) {
    Long before = errors.remove(dir);
    if (before != null) {
      LOG.info("Demoting from {} again, after {} errors", dir, before);
    }
  }

  /** Switches demotion off until {@link #on}; a reason that holds for good stays. */
  synchronized void off(String why) {
    if (offForGood) {
      return;
    }
    if (!why.equals(offReason)) {
      LOG.info("Nothing is demoted: {}", why);
    }
    offReason = why;
  }

  /** Switches it off until the NodeManager is started again. */
  synchronized void offForGood(String why) {
    off(why);
    offForGood = true;
  }

  /** Switches it on; false when it is off for good. */
  synchronized boolean on() {
    if (!offForGood) {
      offReason = null;
    }
    return !offForGood;
  }

  /** Tells why it is off; empty when it is on. */
  synchronized Optional<String> offReason() {
    return Optional.ofNullable(offReason);
  }
}
