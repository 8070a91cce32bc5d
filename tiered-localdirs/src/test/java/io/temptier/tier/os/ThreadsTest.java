// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.ThreadLimit;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ThreadsTest {
  private static final Duration NEVER = Duration.ofDays(1);
  private static final Duration LONG = Duration.ofMinutes(4);

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

  @Test
  void aTaskRunsAfterItsPause() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    long began = System.nanoTime();
    Future<?> unused = Later.after(Duration.ofMillis(50), ran::countDown);
    assertTrue(ran.await(5, TimeUnit.MINUTES));
    assertTrue(System.nanoTime() - began >= Duration.ofMillis(50).toNanos());
  }

  /** Stock needs no thread to place a file, so for want of one no task may fail. */
  @Test
  void whereNoMoreThreadsMayBeHadACallFailsAsOneOfADisk() throws IOException {
    ThreadLimit limit = new ThreadLimit();
    TimedCalls calls = new TimedCalls(2, work -> limit.newThread(work).start());
    for (int i = 0; i < 5; i++) {
      assertThrows(IOException.class, () -> calls.call("disk", LONG, () -> 1));
    }
    assertEquals(0, calls.late());
    limit.lift();
    assertEquals(1, calls.call("disk", LONG, () -> 1));
  }

  @Test
  void callsThatDoNotComeBackCostOneKeyAFewThreads() throws Exception {
    TimedCalls calls = new TimedCalls("test", 2);
    CountDownLatch never = new CountDownLatch(1);
    AtomicBoolean closed = new AtomicBoolean();
    for (int i = 0; i < 2; i++) {
      assertThrows(
          IOException.class,
          () ->
              calls.call(
                  "ann",
                  Duration.ofMillis(1),
                  () -> {
                    never.await();
                    return (AutoCloseable) () -> closed.set(true);
                  }));
    }
    assertEquals(2, calls.late());
    assertThrows(IOException.class, () -> calls.call("ann", LONG, () -> "not tried"));
    assertEquals("bob", calls.call("bob", LONG, () -> "bob"));
    never.countDown();
    Eventually.holds("both came back", () -> calls.late() == 0);
    assertTrue(closed.get(), "what came too late is closed");
    assertEquals("ann", calls.call("ann", LONG, () -> "ann"));
    assertThrows(
        NoSuchFileException.class,
        () ->
            calls.call(
                "ann",
                LONG,
                () -> {
                  throw new NoSuchFileException("x");
                }));
  }
}
