// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion.asuser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.shuffle.demotion.move.MoveContext;
import io.temptier.shuffle.demotion.move.OtherDirs;
import io.temptier.tier.demotion.Pace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class HelperSessionsTest {
  private static final HelperSessions.Listener NOBODY =
      new HelperSessions.Listener() {
        @Override
        public void started() {}

        @Override
        public void failed(String why) {}

        @Override
        public void cleaned(int files) {}
      };

  private final AtomicLong nanos = new AtomicLong();
  private final List<Runnable> begun = new ArrayList<>();
  private boolean threadsToSpare = true;

  @AutoClose
  private final HelperSessions sessions =
      new HelperSessions(
          Optional::empty,
          new Launch(HelperSessionsTest.class, List.of()),
          new MoveContext(0, () -> true, List.of(), new OtherDirs(), new Pace(1)),
          1,
          application -> true,
          NOBODY,
          nanos::get,
          this::run);

  private void run(Runnable work) {
    if (!threadsToSpare) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    begun.add(work);
  }

  @Test
  void whereNoThreadWasToSpareAnApplicationGetsItsHelperLater() {
    ApplicationUser who = ApplicationUser.of("application_1_0001", "ann", "ann", 1000);
    threadsToSpare = false;
    assertFalse(sessions.request(who));
    threadsToSpare = true;
    nanos.addAndGet(Duration.ofSeconds(4).toNanos());
    assertFalse(sessions.request(who), "not at once");
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertTrue(sessions.request(who));
    assertEquals(1, begun.size());
    assertTrue(sessions.request(who), "it is being started");
    assertEquals(1, begun.size());
  }
}
