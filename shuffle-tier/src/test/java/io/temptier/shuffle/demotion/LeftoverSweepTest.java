// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.os.thread.TimedCalls.LateException;
import java.io.IOException;
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

  /** Looks of which the first is not answered, the second fails, the third does not remove all. */
  private final LeftoverSweep sweep =
      new LeftoverSweep(
          DIR,
          (dir, user, application) -> {
            looks++;
            if (looks == 1) {
              throw new LateException("made up", null);
            } else if (looks == 2) {
              throw new IOException("Read-only file system");
            }
            return looks > 3;
          },
          tally,
          clockNanos::get);

  private void assertLooks(int expected, long laterNanos) {
    clockNanos.addAndGet(laterNanos);
    sweep.round(RUNNING, () -> false);
    assertEquals(expected, looks);
  }

  @Test
  void eachIsLookedThroughOnceAndAgainInAWhileWhereSomethingIsLeft() {
    assertLooks(1, 0);
    assertLooks(1, LeftoverSweep.AGAIN_NANOS - 1);
    assertLooks(2, 1);
    assertLooks(2, 0);
    assertLooks(3, LeftoverSweep.AGAIN_NANOS);
    assertLooks(4, LeftoverSweep.AGAIN_NANOS);
    assertLooks(4, 10 * LeftoverSweep.AGAIN_NANOS);
    assertEquals(1, tally.get(DemotionCounter.DEMOTION_FAILURES));
    sweep.again(TestNode.APP);
    assertLooks(5, 0);
    sweep.round(Map.of(), () -> false);
    // One of the same name.
    assertLooks(6, 0);
  }
}
