// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.ThreadLimit;
import io.temptier.shuffle.LogWatch;
import io.temptier.shuffle.output.TestLanes;
import io.temptier.tier.Medium;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.metrics2.util.Quantile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeviceLaneTest {
  private final List<DeviceLane> lanes = new ArrayList<>();
  private final CountDownLatch go = new CountDownLatch(1);

  @AfterEach
  void close() {
    go.countDown();
    lanes.forEach(DeviceLane::close);
  }

  private DeviceLane lane(Medium medium, int depth) {
    DeviceLane lane = new DeviceLane("sdx", medium, new MediumStats(System::nanoTime), depth);
    lanes.add(lane);
    return lane;
  }

  @Test
  void lookUpsAndReadsAreTakenInTurn() {
    DeviceLane lane = lane(Medium.DISK, 1);
    List<String> done = new CopyOnWriteArrayList<>();
    lane.read("alice", () -> TestLanes.await(go));
    Eventually.holds("its thread is busy", () -> lane.running() == 1);
    for (int i = 0; i < 3; i++) {
      String number = Integer.toString(i);
      lane.read("alice", () -> done.add("read" + number));
    }
    for (int i = 0; i < 2; i++) {
      String number = Integer.toString(i);
      lane.lookUp("alice", () -> done.add("look" + number));
    }
    go.countDown();
    Eventually.holds("all are done", () -> done.size() == 5);
    assertEquals(List.of("look0", "read0", "look1", "read1", "read2"), done);
  }

  @Test
  void noMoreThanItsDepthAtATime() {
    DeviceLane lane = lane(Medium.SSD, 3);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    for (int i = 0; i < 10; i++) {
      lane.read(
          "alice",
          () -> {
            running.incrementAndGet();
            TestLanes.await(go);
            done.incrementAndGet();
          });
    }
    Eventually.holds("three run", () -> running.get() == 3);
    assertEquals(7, lane.waiting());
    assertTrue(lane.busy());
    go.countDown();
    Eventually.holds("all are done", () -> done.get() == 10 && !lane.busy());
    assertEquals(0, lane.waiting());
  }

  /** The user's limit, or the container's. */
  @Test
  void aJobForWhichThereIsNoThreadIsDoneOnceThereIsOne() throws Exception {
    ThreadLimit limit = new ThreadLimit();
    DeviceLane lane =
        new DeviceLane(
            "sdx",
            Medium.NVME,
            new MediumStats(System::nanoTime),
            2,
            work -> limit.newThread(work).start());
    lanes.add(lane);
    CountDownLatch done = new CountDownLatch(2);
    lane.read("alice", done::countDown);
    lane.read("alice", done::countDown);
    assertThrows(OutOfMemoryError.class, lane::relieve);
    limit.lift();
    lane.relieve();
    assertTrue(done.await(5, TimeUnit.MINUTES));
    Eventually.holds("nothing is left", () -> !lane.busy());
  }

  @Test
  void theCallerNeverDoesTheWork() throws Exception {
    CompletableFuture<Thread> worker = new CompletableFuture<>();
    lane(Medium.NVME, 1).lookUp("alice", () -> worker.complete(Thread.currentThread()));
    Thread thread = worker.get(5, TimeUnit.MINUTES);
    assertNotSame(Thread.currentThread(), thread);
    assertTrue(thread.isDaemon(), "would keep the NodeManager from ending");
  }

  @Test
  void aJobThatThrowsHurtsNoOther() {
    try (LogWatch quiet = new LogWatch()) {
      DeviceLane lane = lane(Medium.DISK, 1);
      lane.read(
          "alice",
          () -> {
            throw new IllegalStateException("expected by the test");
          });
      AtomicInteger done = new AtomicInteger();
      lane.read("alice", done::incrementAndGet);
      Eventually.holds("the next is done", () -> done.get() == 1 && !lane.busy());
      assertThrows(AssertionError.class, quiet::assertQuiet, "it is told");
    }
  }

  /** As two pipes in the place of outputs, on a disk that is read by two threads. */
  @Test
  void jobsThatDoNotComeBackHoldUpNoOtherUser() {
    DeviceLane lane = lane(Medium.DISK, 2);
    AtomicInteger started = new AtomicInteger();
    for (int i = 0; i < 10; i++) {
      lane.lookUp(
          "mallory",
          () -> {
            started.incrementAndGet();
            TestLanes.await(go);
          });
    }
    AtomicInteger done = new AtomicInteger();
    lane.lookUp("alice", done::incrementAndGet);
    Eventually.holds(
        "the other is served",
        () -> {
          lane.relieve();
          return done.get() == 1;
        });
    // Four that do not come back, and what began before the fourth was seen not to.
    assertTrue(started.get() <= 6, started + " threads for one user");
    Eventually.holds(
        "nothing is to be expected of it soon",
        () -> {
          lane.relieve();
          return !lane.busy();
        });
    Eventually.holds("the rest waits", () -> lane.waiting() == 10 - started.get());
    go.countDown();
    Eventually.holds("what waited is done", () -> started.get() == 10 && lane.running() == 0);
    lane.relieve();
    lane.lookUp("mallory", done::incrementAndGet);
    Eventually.holds("and more", () -> done.get() == 2);
  }

  @Test
  void oneUsersJobsDoNotFillTheQueue() {
    DeviceLane lane = lane(Medium.DISK, 1);
    lane.read("alice", () -> TestLanes.await(go));
    RejectedExecutionException refusal =
        assertThrows(
            RejectedExecutionException.class,
            () -> {
              for (int i = 0; i < 200_000; i++) {
                lane.lookUp("mallory", () -> {});
              }
            });
    assertTrue(String.valueOf(refusal.getMessage()).contains("mallory"));
    lane.read("alice", () -> {});
  }

  @Test
  void whatWaitsIsStillDoneAfterTheEnd() {
    DeviceLane lane = lane(Medium.DISK, 1);
    AtomicInteger done = new AtomicInteger();
    lane.read("alice", () -> TestLanes.await(go));
    lane.read("alice", done::incrementAndGet);
    lane.close();
    assertThrows(RejectedExecutionException.class, () -> lane.read("alice", done::incrementAndGet));
    go.countDown();
    Eventually.holds("it is done", () -> done.get() == 1);
  }

  private final AtomicLong clock = new AtomicLong(-7);
  private final MediumStats stats = new MediumStats(clock::get);

  @Test
  void aStallIsAReadOfHalfASecond() {
    stats.read(MediumStats.STALL_NANOS - 1);
    assertEquals(0, stats.stalls());
    stats.read(MediumStats.STALL_NANOS);
    stats.read(TimeUnit.MINUTES.toNanos(1));
    assertEquals(2, stats.stalls());
  }

  @Test
  void quantilesAreThoseOfTheWindowThatEnded() {
    for (int micros = 10_000; micros > 0; micros--) {
      stats.read(TimeUnit.MICROSECONDS.toNanos(micros));
    }
    assertEquals(0, stats.latencyMicros(MediumStats.P50), "the window is not over");
    clock.addAndGet(MediumStats.WINDOW_NANOS);
    assertNear(MediumStats.P50);
    stats.read(TimeUnit.SECONDS.toNanos(1));
    assertNear(MediumStats.P99);
    assertNear(MediumStats.P999);
    clock.addAndGet(MediumStats.WINDOW_NANOS);
    assertEquals(1_000_000, stats.latencyMicros(MediumStats.P50));
  }

  /** Within the error that the quantile allows. */
  private void assertNear(Quantile quantile) {
    double expected = quantile.quantile * 10_000;
    double allowed = quantile.error * 10_000 + 1;
    long shown = stats.latencyMicros(quantile);
    assertTrue(Math.abs(shown - expected) <= allowed, quantile.quantile + ": " + shown);
  }

  @Test
  void aWindowInWhichNothingWasReadShowsZero() {
    stats.read(1_000_000);
    clock.addAndGet(MediumStats.WINDOW_NANOS);
    assertEquals(1000, stats.latencyMicros(MediumStats.P99));
    clock.addAndGet(MediumStats.WINDOW_NANOS);
    assertEquals(0, stats.latencyMicros(MediumStats.P99));
  }
}
