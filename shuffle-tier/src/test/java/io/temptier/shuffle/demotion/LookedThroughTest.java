// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LookedThroughTest {
  private static final String APP = TestNode.APP;

  private final AtomicLong clockNanos = new AtomicLong();
  private final LookedThrough looked = new LookedThrough(clockNanos::get);

  @Test
  void eachIsLookedThroughOnce() {
    assertTrue(looked.begin(APP));
    clockNanos.addAndGet(10 * LookedThrough.AGAIN_NANOS);
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
    clockNanos.addAndGet(LookedThrough.AGAIN_NANOS - 1);
    assertFalse(looked.begin(APP));
    looked.unanswered(APP);
    clockNanos.addAndGet(1);
    assertTrue(looked.begin(APP));
    clockNanos.addAndGet(LookedThrough.AGAIN_NANOS);
    assertFalse(looked.begin(APP), "it was answered");
  }
}
