// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.ceph;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Waits for what other processes do. */
final class Patience {
  private static final long POLL_MILLIS = 50;

  private Patience() {}

  /** Something to wait for. */
  interface Question {
    boolean holds() throws IOException;
  }

  /** Fails when it does not hold within two minutes. */
  static void await(String what, Question question) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
    while (!question.holds()) {
      assertTrue(System.nanoTime() < deadline, () -> "waited in vain until " + what);
      Thread.sleep(POLL_MILLIS);
    }
  }
}
