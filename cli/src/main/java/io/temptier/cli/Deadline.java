// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import io.temptier.tier.os.Threads;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Runs work that may never return: a command must end even if a disk or store is silent. */
public final class Deadline {
  /** Time for one step: local disks take less even when they are busy. */
  private static final Duration HANGS = Duration.ofMinutes(2);

  private Deadline() {}

  /** Runs work on a thread of its own, or ends the command: a disk that it needs may hang. */
  public static <T> T orFail(String task, Callable<T> work) {
    return orFail(task, new AtomicLong(System.nanoTime()), work);
  }

  /**
   * Overload for work of many steps, each of which has the whole time.
   *
   * @param step when the last one ended, {@link System#nanoTime}
   */
  public static <T> T orFail(String task, AtomicLong step, Callable<T> work) {
    try {
      return within(HANGS, task, step, work);
    } catch (TimeoutException e) {
      throw new CommandFailure(
          String.format(
              "Cannot %s: a disk hangs, nothing came for %d s. temptier status names the local dir"
                  + " that does not answer. Take it out of yarn.nodemanager.local-dirs and"
                  + " temptier.local-dirs, and restart the NodeManager.",
              task, HANGS.getSeconds()),
          e);
    } catch (ExecutionException | InterruptedException e) {
      if (e.getCause() instanceof RuntimeException) {
        throw (RuntimeException) e.getCause();
      }
      throw new CommandFailure("Cannot " + task + ": " + e.getCause(), e);
    }
  }

  /**
   * Runs work on a thread of its own, which is left behind when time is over. Work of many steps
   * has the whole time for each.
   *
   * @param task names the thread
   * @param step when the last one ended, {@link System#nanoTime}
   * @throws TimeoutException when time is over
   * @throws ExecutionException when it fails
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
