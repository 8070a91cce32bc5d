// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import io.temptier.hadoop.metrics.TierCounter;
import io.temptier.shuffle.demotion.asuser.HelperSessions;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** The numbers of demotion, what helpers do included. Safe for use by many threads. */
class DemotionTally implements HelperSessions.Listener {
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
