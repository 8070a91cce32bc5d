// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what takes a while, by asking again and again. */
final class Eventually {
  private static final Duration DEADLINE = Duration.ofMinutes(5);

  private Eventually() {}

  /** Fails when the condition does not come to hold in time; an exception of its fails at once. */
  static void holds(String what, Callable<Boolean> condition) {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    try {
      while (!condition.call()) {
        if (System.nanoTime() > deadline) {
          throw new AssertionError("not within " + DEADLINE.toMinutes() + " minutes: " + what);
        }
        Thread.sleep(5);
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError("while waiting until " + what, e);
    }
  }
}
