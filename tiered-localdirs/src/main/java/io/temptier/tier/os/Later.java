// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs tasks after a while; {@code CompletableFuture} itself does it from Java 9 on. */
public final class Later {
  private static final ScheduledThreadPoolExecutor TIMER = Threads.scheduler("temptier-later", 1);

  private Later() {}

  /**
   * Runs a task after a while, on the thread that all of them share: it neither waits nor does I/O.
   * Where that thread cannot be had the task waits until a call of this or of {@link #resume} gets
   * one.
   */
  public static Future<?> after(Duration pause, Runnable task) {
    FutureTask<?> once = new FutureTask<>(task, null);
    try {
      return TIMER.schedule(once, pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (OutOfMemoryError e) {
      // So the JDK says that there is no thread to spare. The task is in the queue by then.
      return once;
    }
  }

  /** Starts the thread, should tasks wait for it. */
  public static void resume() {
    try {
      boolean unused = TIMER.prestartCoreThread();
    } catch (OutOfMemoryError e) {
      // They go on waiting.
    }
  }
}
