// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether demotion is off, and why; each reason is logged once. Safe for use by many threads. */
final class OffSwitch {
  private static final Logger LOG = LoggerFactory.getLogger(OffSwitch.class);

  private final DemotionTally tally;
  private @Nullable String reason;
  private @Nullable String logged;
  private boolean forGood;

  OffSwitch(DemotionTally tally) {
    this.tally = tally;
  }

  /** Switches off until {@link #on}; a reason that holds for good stays. */
  synchronized void off(String why) {
    if (!forGood) {
      set(why);
    }
  }

  /** Switches off until the NodeManager is started again. */
  synchronized void offForGood(String why) {
    if (!forGood) {
      forGood = true;
      set(why);
    }
  }

  private void set(String why) {
    reason = why;
    tally.set(DemotionCounter.DEMOTION_OFF, true);
    if (!why.equals(logged)) {
      logged = why;
      LOG.info("Nothing is demoted: {}", why);
    }
  }

  /** Switches on, if it is not off for good. */
  synchronized boolean on() {
    if (!forGood) {
      reason = null;
      tally.set(DemotionCounter.DEMOTION_OFF, false);
    }
    return !forGood;
  }

  /** Why it is off; empty when it is on. */
  synchronized Optional<String> reason() {
    return Optional.ofNullable(reason);
  }
}
