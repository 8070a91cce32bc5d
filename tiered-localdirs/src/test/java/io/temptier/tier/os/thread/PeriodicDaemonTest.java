// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os.thread;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PeriodicDaemonTest {
  private static final Duration NEVER = Duration.ofDays(1);

  @Test
  void worksEveryPeriodAlthoughARoundFails() throws InterruptedException {
    CountDownLatch rounds = new CountDownLatch(3);
    PeriodicDaemon daemon =
        new PeriodicDaemon(
            "test",
            () -> Duration.ofMillis(1),
            () -> {
              rounds.countDown();
              throw new NoClassDefFoundError("made up");
            });
    daemon.start();
    assertTrue(rounds.await(5, TimeUnit.MINUTES));
    daemon.close();
  }

  @Test
  void eachRoundChoosesThePeriodThatFollowsIt() throws InterruptedException {
    Semaphore rounds = new Semaphore(0);
    AtomicInteger left = new AtomicInteger(2);
    Supplier<Duration> period = () -> left.decrementAndGet() > 0 ? Duration.ofMillis(1) : NEVER;
    try (PeriodicDaemon daemon = new PeriodicDaemon("test", period, rounds::release)) {
      daemon.start();
      assertTrue(rounds.tryAcquire(2, 5, TimeUnit.MINUTES));
      Eventually.holds("the last round is over", () -> left.get() == 0);
      daemon.wake();
      assertTrue(rounds.tryAcquire(5, TimeUnit.MINUTES));
    }
    assertEquals(0, rounds.availablePermits());
  }

  @Test
  void manyWakeUpsBeforeARoundAreOne() throws InterruptedException {
    CountDownLatch begin = new CountDownLatch(1);
    AtomicInteger rounds = new AtomicInteger();
    Semaphore done = new Semaphore(0);
    try (PeriodicDaemon daemon =
        new PeriodicDaemon(
            "test",
            () -> NEVER,
            () -> {
              try {
                begin.await();
              } catch (InterruptedException e) {
                return;
              }
              rounds.incrementAndGet();
              done.release();
            })) {
      daemon.start();
      for (int i = 0; i < 1_000; i++) {
        daemon.wake();
      }
      begin.countDown();
      assertTrue(done.tryAcquire(2, 5, TimeUnit.MINUTES));
      assertEquals(2, rounds.get());
    }
  }

  @Test
  void aRoundThatHangsIsLeftBehind() throws InterruptedException {
    CountDownLatch hanging = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    PeriodicDaemon daemon =
        new PeriodicDaemon(
            "test",
            () -> NEVER,
            () -> {
              hanging.countDown();
              boolean released = false;
              while (!released) {
                try {
                  release.await();
                  released = true;
                } catch (InterruptedException e) {
                  // A thread in an uninterruptible wait for a disk does not hear it either.
                }
              }
            });
    daemon.start();
    assertTrue(hanging.await(5, TimeUnit.MINUTES));
    daemon.close();
    release.countDown();
  }

  /** Each waits for the other here, as each may wait a moment for a disk that hangs. */
  @Test
  void whatEndsTogetherEndsAtTheSameTime() {
    CyclicBarrier all = new CyclicBarrier(3);
    Runnable end = () -> assertDoesNotThrow(() -> all.await(5, TimeUnit.MINUTES));
    Threads.together(Stream.of(end, end, end));
  }
}
