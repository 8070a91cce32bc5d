// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.os.thread.TimedCalls.LateException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LeftoverSweepTest {
  private static final LocalDir DIR =
      LocalDir.of(Path.of("/nvme0/yarn"), Medium.NVME, LocalDir.NO_CAP, "test");
  private static final Map<String, String> RUNNING = Map.of(TestNode.APP, TestNode.USER);

  private final AtomicLong clockNanos = new AtomicLong();
  private final DemotionTally tally = new DemotionTally();
  private int looks;

  /** How often a sweep looked into the dir after one more round. */
  private int round(LeftoverSweep sweep) {
    sweep.round(RUNNING, () -> false);
    return looks;
  }

  private LeftoverSweep sweep(LeftoverSweep.Cleaner cleaner) {
    return new LeftoverSweep(
        DIR,
        (dir, user, application) -> {
          looks++;
          return cleaner.clean(dir, user, application);
        },
        tally,
        clockNanos::get);
  }

  @Test
  void eachIsLookedThroughOnce() {
    LeftoverSweep sweep = sweep((dir, user, application) -> true);
    assertEquals(1, round(sweep));
    clockNanos.addAndGet(10 * LeftoverSweep.AGAIN_NANOS);
    assertEquals(1, round(sweep));
    sweep.again(TestNode.APP);
    assertEquals(2, round(sweep));
    sweep.round(Map.of(), () -> false);
    assertEquals(3, round(sweep), "one of the same name");
  }

  @Test
  void oneWithoutAnAnswerHasItsTurnAgainInAWhileAndNotBefore() {
    LeftoverSweep sweep =
        sweep(
            (dir, user, application) -> {
              if (looks == 1) {
                throw new LateException("made up", null);
              }
              return looks > 2;
            });
    assertEquals(1, round(sweep));
    clockNanos.addAndGet(LeftoverSweep.AGAIN_NANOS - 1);
    assertEquals(1, round(sweep));
    clockNanos.addAndGet(1);
    assertEquals(2, round(sweep));
    assertEquals(2, round(sweep), "it could not be removed now");
    clockNanos.addAndGet(LeftoverSweep.AGAIN_NANOS);
    assertEquals(3, round(sweep));
    clockNanos.addAndGet(LeftoverSweep.AGAIN_NANOS);
    assertEquals(3, round(sweep), "it was answered");
    assertEquals(0, tally.get(DemotionCounter.DEMOTION_FAILURES));
  }
}
