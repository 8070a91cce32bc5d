// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os.thread;

import java.time.Duration;

/**
 * Ends work that may hang in a disk, without hanging there too. Interrupting a thread that is in a
 * file channel closes the channel, and for that the JDK waits for the disk.
 */
public final class BoundedShutdown {
  /** What ends it. */
  @FunctionalInterface
  public interface End {
    /** Ends it, however long that takes. */
    void run() throws InterruptedException;
  }

  private BoundedShutdown() {}

  /**
   * Begins {@code end} on a daemon thread of its own, and waits for it.
   *
   * @param wait for so long at most; it is left behind then
   * @param name of what ends
   */
  public static void within(Duration wait, String name, End end) {
    Thread aside =
        new Thread(
            () -> {
              try {
                end.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            name + ", its end");
    aside.setDaemon(true);
    aside.start();
    try {
      aside.join(wait.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
