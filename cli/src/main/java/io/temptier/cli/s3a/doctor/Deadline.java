// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.s3a.doctor;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A time within which several calls must end. One that does not is left behind on its thread. */
final class Deadline {
  private final long end;
  private final long seconds;

  Deadline(Duration time) {
    end = System.nanoTime() + time.toNanos();
    seconds = time.toSeconds();
  }

  /**
   * Calls.
   *
   * @throws TimeoutException when time is over, before or while it runs
   * @throws ExecutionException with what it threw
   */
  <T> T call(Callable<T> call) throws TimeoutException, ExecutionException {
    FutureTask<T> task = new FutureTask<>(call);
    Thread thread = new Thread(task, "s3a-doctor");
    // A command must end although a request does not.
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      thread.interrupt();
      TimeoutException told =
          new TimeoutException("timed out: the doctor waits no longer than " + seconds + " s");
      told.initCause(e);
      throw told;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ExecutionException(e);
    }
  }
}
