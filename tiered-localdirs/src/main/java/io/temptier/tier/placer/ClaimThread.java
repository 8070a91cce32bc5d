// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.placer;

import io.temptier.tier.claim.Claim;
import io.temptier.tier.room.DirGauge;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The daemon thread that does what claims need on one dir: it looks after the files being written
 * there once a second, and releases the claims that were given up. So nobody who settles or reads a
 * file waits for a disk on which a claim ends. Whoever claims there next releases one first: that
 * costs no change of threads, and the new claim takes over its file. The thread leaves a moment for
 * that. It runs from the first call on, and ends some seconds after there is nothing left to look
 * after, having deleted the dir's spare claims.
 *
 * <p>Safe for use by many threads. Only {@link #releaseOne} waits for the disk.
 */
final class ClaimThread {
  /** What is looked after. */
  interface Round {
    /** Looks after it once; may wait for the disk. */
    void tick();

    /** Whether there is something to look after; no I/O. */
    boolean needed();
  }

  /** Such threads are named so, followed by their dir. */
  static final String NAME = "temptier-claims ";

  private static final Logger LOG = LoggerFactory.getLogger(ClaimThread.class);
  private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int IDLE_TICKS_BEFORE_END = 10;

  /** A claim that was given up counts so much longer in other processes, at most. */
  private static final long TAKE_OVER_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final DirGauge gauge;
  private final Round round;
  private final Queue<Claim> givenUp = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean woken = new AtomicBoolean();
  private volatile boolean closed;
  private volatile boolean complained;
  // Guarded by this.
  private @Nullable Thread thread;

  ClaimThread(DirGauge gauge, Round round) {
    this.gauge = gauge;
    this.round = round;
  }

  /** Releases a claim that was given up, soon. */
  void release(Claim claim) {
    givenUp.add(claim);
    if (woken.compareAndSet(false, true)) {
      LockSupport.unpark(ensureRunning());
    }
  }

  /** Releases a claim that was given up, if there is one, for a caller who is to claim here. */
  void releaseOne() {
    Claim claim = givenUp.poll();
    if (claim != null) {
      claim.release();
    }
  }

  /**
   * Makes sure that it runs.
   *
   * @return null when no thread could be started; the next call tries again
   */
  synchronized @Nullable Thread ensureRunning() {
    if (thread == null) {
      Thread next = new Thread(this::run, NAME + gauge.dir().path());
      next.setDaemon(true);
      try {
        next.start();
        thread = next;
      } catch (OutOfMemoryError e) {
        // The limit of threads; a job must not fail for want of this one.
        LOG.warn("Cannot keep claims on {}; the next file placed there tries again", gauge, e);
      }
    }
    return thread;
  }

  private void releaseGivenUp() {
    for (Claim claim = givenUp.poll(); claim != null; claim = givenUp.poll()) {
      claim.release();
    }
  }

  private void run() {
    int idleTicks = 0;
    long tickNanos = System.nanoTime() + TICK_NANOS;
    do {
      if (woken.get()) {
        LockSupport.parkNanos(this, TAKE_OVER_NANOS);
        woken.set(false);
        releaseGivenUp();
      }
      if (closed) {
        // Before it waits: the wait above may have taken the wake-up.
        break;
      }
      long wait = tickNanos - System.nanoTime();
      if (wait > 0) {
        LockSupport.parkNanos(this, wait);
        continue;
      }
      tick();
      tickNanos = System.nanoTime() + TICK_NANOS;
      idleTicks = round.needed() ? 0 : idleTicks + 1;
    } while (idleTicks < IDLE_TICKS_BEFORE_END);
    releaseGivenUp();
    gauge.claims().dropSpares();
    ended();
  }

  /** An error that nobody catches would end the NodeManager, and a dead thread keeps no claims. */
  private void tick() {
    try {
      round.tick();
    } catch (RuntimeException | Error e) {
      if (!complained) {
        complained = true;
        LOG.warn("Cannot look after the claims on {}; tried again each second", gauge, e);
      }
    }
  }

  /** Unless there is something to do again, which the next thread does. */
  private synchronized void ended() {
    thread = null;
    if (!givenUp.isEmpty() || (round.needed() && !closed)) {
      ensureRunning();
    }
  }

  /** Tells it to release what was given up and to end. */
  void close() {
    closed = true;
    Thread last;
    synchronized (this) {
      last = givenUp.isEmpty() ? thread : ensureRunning();
    }
    LockSupport.unpark(last);
  }

  /** Waits until it has ended, or for {@code millis} at most; not at all when interrupted. */
  void join(long millis) {
    Thread last;
    synchronized (this) {
      last = thread;
    }
    if (last != null) {
      try {
        last.join(Math.max(1, millis));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
