// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.process;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;

/** Waits for what others do, by asking. */
public final class Await {
  private static final long POLL_MILLIS = 100;

  private Await() {}

  @FunctionalInterface
  public interface Question {
    boolean holds() throws IOException;
  }

  /** Asks until the answer is yes. */
  public static void until(String what, Duration deadline, Question question) throws IOException {
    until(() -> what, deadline, question);
  }

  /** Waits, with a text of what is waited for when it took too long. */
  public static void until(Supplier<String> what, Duration deadline, Question question)
      throws IOException {
    long end = System.nanoTime() + deadline.toNanos();
    while (!question.holds()) {
      if (System.nanoTime() - end > 0) {
        throw new IOException(
            "after " + deadline.toSeconds() + " s still waiting for " + what.get());
      }
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while waiting for " + what.get(), e);
      }
    }
  }
}
