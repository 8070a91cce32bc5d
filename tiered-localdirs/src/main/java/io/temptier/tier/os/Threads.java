// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The daemon threads of this process that are borrowed for one piece of work each, such as what may
 * hang with a disk, and end when nobody has borrowed them for a while.
 */
public final class Threads {
  private static final long IDLE_SECONDS = 10;
  private static final String IDLE = "temptier-idle";

  private static final ThreadPoolExecutor BORROWED =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          daemons(IDLE));

  private Threads() {}

  /**
   * Runs work soon, on a thread of its own for as long as it takes. How many may be out at once is
   * the caller's to bound.
   *
   * @throws OutOfMemoryError where the system has no thread to spare
   */
  public static void run(String name, Runnable work) {
    BORROWED.execute(
        () -> {
          Thread thread = Thread.currentThread();
          thread.setName(name);
          try {
            work.run();
          } finally {
            thread.setName(IDLE);
          }
        });
  }

  /**
   * Makes daemon threads of that name. They serve whoever comes, so they have neither the class
   * loader nor the user of the thread that happened to ask first.
   */
  public static ThreadFactory daemons(String name) {
    return work ->
        AccessController.doPrivileged(
            (PrivilegedAction<Thread>)
                () -> {
                  Thread thread = new Thread(work, name);
                  thread.setDaemon(true);
                  thread.setContextClassLoader(Threads.class.getClassLoader());
                  return thread;
                });
  }

  /** A scheduler whose threads end when they are idle. */
  public static ScheduledThreadPoolExecutor scheduler(String name, int threads) {
    ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(threads, daemons(name));
    scheduler.setRemoveOnCancelPolicy(true);
    scheduler.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    scheduler.allowCoreThreadTimeOut(true);
    return scheduler;
  }

  /** Ends something, however long that takes. */
  @FunctionalInterface
  public interface End {
    void run() throws InterruptedException;
  }

  /**
   * Ends work that may hang in a disk, on a daemon thread of its own, which is left behind after a
   * while. Interrupting a thread that is in a file channel closes the channel, and for that the JDK
   * waits for the disk.
   */
  public static void endWithin(Duration wait, String name, End end) {
    Thread aside =
        daemons(name + ", its end")
            .newThread(
                () -> {
                  try {
                    end.run();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    try {
      aside.start();
      aside.join(wait.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (OutOfMemoryError e) {
      // So the JDK says that there is no thread to spare: it is left behind.
    }
  }

  /** Runs all at the same time and waits: each may wait a moment for a disk that hangs. */
  public static void together(Stream<Runnable> work) {
    CompletableFuture.allOf(
            work.map(each -> CompletableFuture.runAsync(each, Threads::runSoonOrNow))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  private static void runSoonOrNow(Runnable work) {
    try {
      run("temptier-end", work);
    } catch (OutOfMemoryError e) {
      work.run();
    }
  }
}
