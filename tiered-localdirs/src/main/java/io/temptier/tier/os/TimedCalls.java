// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls that a disk or another user's file may keep for ever, on borrowed threads: the caller
 * waits for a limited time. A thread that does not come back cannot be ended, so each key (a disk,
 * or a user on a disk) costs at most a fixed number of them: with as many still out, further calls
 * of the key fail at once. Safe for use by many threads.
 */
public final class TimedCalls {
  /** Thrown when there was no answer in time, or nobody could be asked. */
  public static final class LateException extends IOException {
    private static final long serialVersionUID = 1;

    public LateException(String why, @Nullable Throwable cause) {
      super(why, cause);
    }
  }

  private final int mostLate;
  private final Executor threads;
  private final Map<Object, Integer> late = new ConcurrentHashMap<>();

  /** Calls of which so many of one key may be out beyond their time. */
  public TimedCalls(String threadName, int mostLate) {
    this(mostLate, work -> Threads.run(threadName, work));
  }

  TimedCalls(int mostLate, Executor threads) {
    this.mostLate = mostLate;
    this.threads = threads;
  }

  /**
   * Calls {@code work} and waits for it. When it is late it goes on; what it returns then is
   * closed, if it can be.
   *
   * @throws LateException when it is late, or too many calls of {@code key} still are; also where
   *     the system has no thread to spare
   * @throws IOException when it threw
   */
  public <T> T call(Object key, Duration patience, Callable<T> work) throws IOException {
    int out = late.getOrDefault(key, 0);
    if (out >= mostLate) {
      throw new LateException(
          "Not tried: " + out + " earlier calls did not come back (" + key + ")", null);
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    try {
      threads.execute(() -> run(key, result, work));
    } catch (OutOfMemoryError e) {
      // So the JDK says that the user or the container may have no more threads.
      throw new LateException("No thread to spare (" + key + ")", e);
    }
    await(result, patience);
    if (!result.isDone()
        && result.completeExceptionally(
            new LateException("No answer within " + patience + " (" + key + ")", null))) {
      addLate(key, 1);
    }
    try {
      return result.join();
    } catch (CompletionException e) {
      Throwable cause = e.getCause();
      throw cause instanceof IOException ? (IOException) cause : new IOException(cause);
    }
  }

  /** A caller that is interrupted waits on, and stays interrupted: a task has a file to place. */
  private static void await(Future<?> result, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    boolean interrupted = false;
    boolean over = false;
    while (!over) {
      try {
        result.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        over = true;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException | CancellationException | TimeoutException e) {
        over = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private <T> void run(Object key, CompletableFuture<T> result, Callable<T> work) {
    boolean inTime;
    try {
      T value = work.call();
      inTime = result.complete(value);
      if (!inTime) {
        close(value);
      }
    } catch (Throwable e) {
      inTime = result.completeExceptionally(e);
    }
    if (!inTime) {
      addLate(key, -1);
    }
  }

  /** Counts late calls up or down: a call may come back before it was counted as late. */
  private void addLate(Object key, int calls) {
    late.merge(key, calls, (a, b) -> a + b == 0 ? null : a + b);
  }

  private static void close(Object value) {
    if (value instanceof AutoCloseable) {
      try {
        ((AutoCloseable) value).close();
      } catch (Exception e) {
        // Nobody waits for it.
      }
    }
  }

  public int late() {
    return late.values().stream().mapToInt(Integer::intValue).sum();
  }
}
