// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os.thread;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs tasks after a while; {@code CompletableFuture} itself does it from Java 9 on. */
public final class Later {
  private static final ScheduledThreadPoolExecutor TIMER = Threads.scheduler("temptier-later", 1);

  private Later() {}

  /** Runs a task in the common pool after a while. */
  public static void run(Duration pause, Runnable task) {
    Future<?> unused = after(pause, () -> ForkJoinPool.commonPool().execute(task));
  }

  /** Fails a future with a {@link TimeoutException} unless it is complete by then; returns it. */
  public static <T> CompletableFuture<T> orTimeout(CompletableFuture<T> future, Duration patience) {
    Future<?> timeout = after(patience, () -> future.completeExceptionally(new TimeoutException()));
    CompletableFuture<T> unused = future.whenComplete((value, failure) -> timeout.cancel(false));
    return future;
  }

  public static <T> CompletableFuture<T> failed(Throwable failure) {
    CompletableFuture<T> future = new CompletableFuture<>();
    future.completeExceptionally(failure);
    return future;
  }

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
