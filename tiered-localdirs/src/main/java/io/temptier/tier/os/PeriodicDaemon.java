// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Daemon that repeats a round of work: every period, sooner when woken, later when rounds take
 * long, so that it never uses more than a twentieth of a core. A failed round is logged once; the
 * next one is due as if nothing had happened. It has a thread only while a round is under way, and
 * keeps that of a round that hangs. Safe for use by many threads.
 */
public final class PeriodicDaemon implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeriodicDaemon.class);

  /** A round that took a second is followed by at least so many of rest. */
  private static final int REST_FACTOR = 20;

  private static final Duration LONGEST_REST = Duration.ofSeconds(60);
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(2);

  private final String name;
  private final Supplier<Duration> period;
  private final int restFactor;
  private final Runnable round;
  private final AtomicBoolean logged = new AtomicBoolean();

  /** The round that is under way; guarded by this, as are the fields below. */
  private @Nullable FutureTask<?> running;

  private boolean closed;

  /** The next round waits for its period, and not only for the last one's rest. */
  private boolean idle;

  private boolean woken;
  private long restUntilNanos;

  /** Number of the round that may begin next: one that was due later may not any more. */
  private long turn;

  /**
   * A daemon that begins its first round at {@link #start()}, and interrupts one at {@link #close}.
   *
   * @param period from the end of a round, which asks for it, to the beginning of the next; neither
   *     waits nor fails
   */
  public PeriodicDaemon(String name, Supplier<Duration> period, Runnable round) {
    this(name, period, REST_FACTOR, round);
  }

  private PeriodicDaemon(String name, Supplier<Duration> period, int restFactor, Runnable round) {
    this.name = name;
    this.period = period;
    this.restFactor = restFactor;
    this.round = round;
  }

  /**
   * A daemon whose rounds bound what they use themselves: after a long one the next is due as soon
   * as after a short one.
   */
  public static PeriodicDaemon withoutRest(String name, Supplier<Duration> period, Runnable round) {
    return new PeriodicDaemon(name, period, 0, round);
  }

  public synchronized void start() {
    beginIn(0);
  }

  /** Asks for a round soon. Never blocks. */
  public synchronized void wake() {
    if (idle) {
      idle = false;
      beginIn(Math.max(0, restUntilNanos - System.nanoTime()));
    } else {
      woken = true;
    }
  }

  private void beginIn(long nanos) {
    long mine = ++turn;
    Future<?> unused = Later.after(Duration.ofNanos(nanos), () -> begin(mine));
  }

  private synchronized void begin(long mine) {
    if (closed || mine != turn) {
      return;
    }
    idle = false;
    FutureTask<?> task = new FutureTask<>(round, null);
    running = task;
    try {
      Threads.run(name, () -> run(task));
    } catch (OutOfMemoryError e) {
      // So the JDK says that there may be no more threads.
      failed(e);
      ended(0);
    }
  }

  private void run(FutureTask<?> task) {
    long began = System.nanoTime();
    task.run();
    // The interrupt of a cancelled task is meant for the round alone.
    boolean unused = Thread.interrupted();
    try {
      task.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      failed(cause == null ? e : cause);
    } catch (CancellationException | InterruptedException e) {
      // It was closed.
    }
    ended(Math.min((System.nanoTime() - began) * restFactor, LONGEST_REST.toNanos()));
  }

  private void failed(Throwable t) {
    if (logged.compareAndSet(false, true)) {
      LOG.warn("{} failed and goes on; not logged again", name, t);
    }
  }

  private synchronized void ended(long restNanos) {
    running = null;
    notifyAll();
    restUntilNanos = System.nanoTime() + restNanos;
    idle = !woken;
    woken = false;
    beginIn(idle ? restNanos + period.get().toNanos() : restNanos);
  }

  /** Ends it, waiting a moment for a round. One that hangs is left behind, with its thread. */
  @Override
  public void close() {
    FutureTask<?> last;
    synchronized (this) {
      closed = true;
      last = running;
    }
    Threads.endWithin(
        CLOSE_WAIT,
        name,
        () -> {
          if (last != null) {
            // Closes a file that the round is at, and so may hang as well.
            last.cancel(true);
          }
          synchronized (this) {
            while (running != null) {
              wait();
            }
          }
        });
  }
}
