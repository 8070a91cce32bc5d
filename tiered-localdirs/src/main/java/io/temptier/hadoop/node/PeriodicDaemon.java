// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.tier.os.EndAside;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A daemon thread that does a round of work now and then: every period, sooner when woken, later
 * when rounds take long, so that it never uses more than a twentieth of a core. A failed round is
 * logged once and counted; the next one is due as if nothing had happened.
 */
public final class PeriodicDaemon implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeriodicDaemon.class);

  /** A round that took a second is followed by at least so many of rest. */
  private static final int REST_FACTOR = 20;

  private static final Duration LONGEST_REST = Duration.ofSeconds(60);
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(2);

  private final String name;
  private final Duration period;
  private final int restFactor;
  private final Runnable round;
  private final Semaphore wakeUps = new Semaphore(0);
  private final AtomicLong failures = new AtomicLong();
  private final Thread thread;
  private volatile boolean closed;

  /**
   * A daemon that begins its first round at {@link #start()}.
   *
   * @param name of the thread
   * @param period from the end of a round to the beginning of the next
   * @param round the work; interrupted at {@link #close()}
   */
  public PeriodicDaemon(String name, Duration period, Runnable round) {
    this(name, period, REST_FACTOR, round);
  }

  private PeriodicDaemon(String name, Duration period, int restFactor, Runnable round) {
    this.name = name;
    this.period = period;
    this.restFactor = restFactor;
    this.round = round;
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  /**
   * A daemon whose rounds bound what they use themselves: after a long one the next is due as soon
   * as after a short one.
   *
   * @param name of the thread
   * @param period from the end of a round to the beginning of the next
   * @param round the work; interrupted at {@link #close()}
   */
  public static PeriodicDaemon withoutRest(String name, Duration period, Runnable round) {
    return new PeriodicDaemon(name, period, 0, round);
  }

  /** Begins. */
  public void start() {
    thread.start();
  }

  /** Asks for a round soon. Never blocks. */
  public void wake() {
    if (wakeUps.availablePermits() == 0) {
      wakeUps.release();
    }
  }

  /** Whether the thread runs; after {@link #close()} that means a round hangs. */
  public boolean isAlive() {
    return thread.isAlive();
  }

  /** Rounds that failed so far. */
  public long failures() {
    return failures.get();
  }

  private void run() {
    while (!closed) {
      long began = System.nanoTime();
      try {
        round.run();
      } catch (Throwable t) {
        if (failures.getAndIncrement() == 0) {
          LOG.warn("{} failed and goes on; not logged again", name, t);
        }
      }
      long least = Math.min((System.nanoTime() - began) * restFactor, LONGEST_REST.toNanos());
      try {
        TimeUnit.NANOSECONDS.sleep(least);
        if (wakeUps.tryAcquire(period.toNanos(), TimeUnit.NANOSECONDS)) {
          wakeUps.drainPermits();
        }
      } catch (InterruptedException e) {
        if (closed) {
          return;
        }
      }
    }
  }

  /** Ends the thread, waiting a moment for it. A round that hangs is left behind. */
  @Override
  public void close() {
    closed = true;
    EndAside.within(
        CLOSE_WAIT,
        name,
        () -> {
          thread.interrupt();
          thread.join();
        });
  }
}
