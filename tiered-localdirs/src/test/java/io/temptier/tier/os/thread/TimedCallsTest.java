// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.temptier.fixtures.ThreadLimit;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TimedCallsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Stock needs no thread to place a file, so for want of one no task may fail. */
  @Test
  void whereNoMoreThreadsMayBeHadACallFailsAsOneOfADisk() throws IOException {
    ThreadLimit limit = new ThreadLimit();
    TimedCalls calls = new TimedCalls(2, work -> limit.newThread(work).start());
    for (int i = 0; i < 5; i++) {
      assertThrows(IOException.class, () -> calls.call("disk", PATIENCE, () -> 1));
    }
    assertEquals(0, calls.late());
    limit.lift();
    assertEquals(1, calls.call("disk", PATIENCE, () -> 1));
  }
}
