// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.shuffle.demotion.asuser.HelperSessions;
import io.temptier.tier.LocalDir;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The numbers of demotion, what helpers do included. Of the errors of a dir the first is logged,
 * and when it is over. Safe for use by many threads.
 */
class DemotionTally implements HelperSessions.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(DemotionTally.class);

  private final Map<LocalDir, Long> errors = new ConcurrentHashMap<>();
  private final Map<DemotionCounter, AtomicLong> values = new EnumMap<>(DemotionCounter.class);

  DemotionTally() {
    for (DemotionCounter counter : DemotionCounter.values()) {
      values.put(counter, new AtomicLong());
    }
  }

  private AtomicLong of(DemotionCounter counter) {
    return Objects.requireNonNull(values.get(counter));
  }

  void add(DemotionCounter counter, long amount) {
    of(counter).addAndGet(amount);
  }

  /** One more, or one less, does what a flag tells of; it is up while anybody does. */
  void count(DemotionCounter flag, boolean one) {
    of(flag).addAndGet(one ? 1 : -1);
  }

  long get(DemotionCounter counter) {
    long value = of(counter).get();
    return counter.type() == TierCounter.Type.GAUGE ? Math.min(1, value) : value;
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

  void worked(LocalDir dir) {
    Long before = errors.remove(dir);
    if (before != null) {
      LOG.info("Demoting from {} again, after {} errors", dir, before);
    }
  }

  @Override
  public void started() {
    add(DemotionCounter.HELPER_STARTS, 1);
  }

  @Override
  public void failed(String why) {
    add(DemotionCounter.HELPER_FAILURES, 1);
  }

  @Override
  public void cleaned(int files) {
    add(DemotionCounter.LEFTOVERS_REMOVED, files);
  }
}
