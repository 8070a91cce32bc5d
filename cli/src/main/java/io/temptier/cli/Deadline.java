// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import io.temptier.tier.os.thread.Threads;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** For what may never return: a command must end although a disk or a store does not answer. */
public final class Deadline {
  private Deadline() {}

  /**
   * Does it on a thread of its own, which is left behind when time is over.
   *
   * @param task names the thread
   * @throws TimeoutException when time is over
   * @throws ExecutionException when it fails
   */
  public static <T> T within(Duration time, String task, Callable<T> work)
      throws TimeoutException, ExecutionException, InterruptedException {
    return within(time, task, new AtomicLong(System.nanoTime()), work);
  }

  /**
   * The same for what takes many steps, each of which has so long.
   *
   * @param step when the last one ended, {@link System#nanoTime}
   */
  public static <T> T within(Duration time, String task, AtomicLong step, Callable<T> work)
      throws TimeoutException, ExecutionException, InterruptedException {
    FutureTask<T> answer = begin(task, work);
    while (true) {
      long left = step.get() + time.toNanos() - System.nanoTime();
      try {
        return answer.get(left, TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        if (System.nanoTime() - step.get() >= time.toNanos()) {
          // What has not ended is interrupted.
          boolean unused = answer.cancel(true);
          throw e;
        }
      }
    }
  }

  /** Begins it on a thread of its own, which keeps no process from ending. */
  public static <T> FutureTask<T> begin(String task, Callable<T> work) {
    FutureTask<T> answer = new FutureTask<>(work);
    Threads.run(task, answer);
    return answer;
  }
}
