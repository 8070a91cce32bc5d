// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class SpareCallsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Stock needs no thread to place a file, so for want of one no task may fail. */
  @Test
  void whereNoMoreThreadsMayBeHadACallFailsAsOneOfADisk() throws IOException {
    AtomicBoolean atTheLimit = new AtomicBoolean(true);
    SpareCalls calls =
        new SpareCalls(
            2,
            work ->
                new Thread(work) {
                  @Override
                  public synchronized void start() {
                    if (atTheLimit.get()) {
                      throw new OutOfMemoryError("unable to create native thread");
                    }
                    super.start();
                  }
                });
    for (int i = 0; i < 5; i++) {
      assertThrows(IOException.class, () -> calls.call("disk", PATIENCE, () -> 1));
    }
    assertEquals(0, calls.late());
    atTheLimit.set(false);
    assertEquals(1, calls.call("disk", PATIENCE, () -> 1));
  }
}
