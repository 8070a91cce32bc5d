// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CleanupScheduleTest {
  private static final String APP = TestNode.APP;

  private final AtomicLong clockNanos = new AtomicLong();
  private final CleanupSchedule looked = new CleanupSchedule(clockNanos::get);

  @Test
  void eachIsLookedThroughOnce() {
    assertTrue(looked.begin(APP));
    clockNanos.addAndGet(10 * CleanupSchedule.AGAIN_NANOS);
    assertFalse(looked.begin(APP));
    looked.again(APP);
    assertTrue(looked.begin(APP));
    looked.retain(Set.of());
    assertTrue(looked.begin(APP), "one of the same name");
  }

  @Test
  void oneWithoutAnAnswerHasItsTurnAgainInAWhileAndNotBefore() {
    assertTrue(looked.begin(APP));
    looked.unanswered(APP);
    clockNanos.addAndGet(CleanupSchedule.AGAIN_NANOS - 1);
    assertFalse(looked.begin(APP));
    looked.unanswered(APP);
    clockNanos.addAndGet(1);
    assertTrue(looked.begin(APP));
    clockNanos.addAndGet(CleanupSchedule.AGAIN_NANOS);
    assertFalse(looked.begin(APP), "it was answered");
  }
}
