// SPDX-License-Identifier: Apache-2.0
package io.temptier.s3a.endpoint;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what other threads do. */
final class Eventually {
  private Eventually() {}

  static void holds(String what, BooleanSupplier question) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
    while (!question.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, () -> "waited in vain until " + what);
      Thread.sleep(10);
    }
  }
}
