// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.shuffle.lane.SegmentMemory.DeviceRead;
import io.temptier.shuffle.output.TestLanes;
import io.temptier.tier.Medium;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentMemoryTest {
  private static final List<DeviceLane> DISKS =
      Stream.generate(SegmentMemoryTest::lane).limit(100).toList();

  private final List<Long> grants = new ArrayList<>();
  private final DeviceRead alice = of("alice", 1);

  private static DeviceRead of(String user, int application) {
    return on(0, user, application);
  }

  private static DeviceRead on(int disk, String user, int application) {
    return DeviceRead.of(user, "application_1_000" + application, DISKS.get(disk));
  }

  /** Takes small pieces, each for the next read, until there are no more; their bytes. */
  private static long takeAll(SegmentMemory memory, Supplier<DeviceRead> reads) {
    long before = memory.usedBytes();
    while (memory.acquire(reads.get(), 10, 10, bytes -> {}) == null) {
      assertTrue(memory.usedBytes() > before);
    }
    return memory.usedBytes() - before;
  }

  /** The same for all disks. */
  private static long takeAll(SegmentMemory memory, String user, int application) {
    AtomicInteger disk = new AtomicInteger();
    return takeAll(memory, () -> on(disk.getAndIncrement() % DISKS.size(), user, application));
  }

  @Test
  void aDeviceGetsHalfAndItsApplicationSomeForAnother() {
    SegmentMemory memory = new SegmentMemory(12_000);
    assertEquals(6000 / 20, takeAll(memory, () -> alice) / 20);
    assertFalse(memory.hasPlenty(alice));
    assertTrue(memory.hasPlenty(on(1, "bob", 2)));
    assertNull(memory.acquire(on(1, "alice", 1), 100, 10, grants::add));
    assertTrue(grants.get(0) >= 10);
    assertNotNull(memory.acquire(alice, 10, 10, grants::add), "its disk hangs");
    assertNull(memory.acquire(of("bob", 2), 10, 10, grants::add), "who has nothing gets some");
  }

  /** Hundreds of an application's connections wait for two disks that hang. */
  @Test
  void devicesThatHangLeaveTheirApplicationItsShareForOthers() {
    SegmentMemory memory = new SegmentMemory(12_000);
    List<DeviceLane> hanging = List.of(lane(), lane());
    CountDownLatch back = new CountDownLatch(1);
    try {
      hanging.forEach(lane -> lane.lookUp("alice", () -> TestLanes.await(back)));
      for (DeviceLane lane : hanging) {
        takeAll(memory, () -> DeviceRead.of(alice.user(), alice.application(), lane));
      }
      assertEquals(8000 / 20, memory.usedBytes() / 20, "all that it may have");
      assertNotNull(memory.acquire(alice, 10, 10, grants::add));
      Eventually.holds(
          "that they hang is known",
          () -> {
            hanging.forEach(DeviceLane::relieve);
            return hanging.stream().allMatch(DeviceLane::hangs);
          });
      memory.grantAgain();
      assertEquals(List.of(10L), grants);
      long more = 10 + takeAll(memory, () -> alice);
      assertTrue(more > 1800, "a device's share of what was left, not " + more);
      assertNull(memory.acquire(on(1, "bob", 2), 10, 10, grants::add));
    } finally {
      back.countDown();
      hanging.forEach(DeviceLane::close);
    }
    Eventually.holds(
        "they are back",
        () -> {
          hanging.forEach(DeviceLane::relieve);
          return hanging.stream().noneMatch(DeviceLane::hangs);
        });
    assertFalse(memory.hasPlenty(on(3, "alice", 1)), "it counts again");
  }

  private static DeviceLane lane() {
    return new DeviceLane("disk", Medium.DISK, new MediumStats(System::nanoTime), 1);
  }

  @Test
  void anApplicationGetsTwoThirdsAndItsUserThreeQuarters() {
    SegmentMemory memory = new SegmentMemory(12_000);
    assertEquals(8000 / 20, takeAll(memory, "alice", 1) / 20);
    assertFalse(memory.hasPlenty(alice));
    assertEquals(1000 / 20, takeAll(memory, "alice", 2) / 20);
    assertEquals(0 / 20, takeAll(memory, "alice", 3) / 20);
    assertEquals(2000 / 20, takeAll(memory, "bob", 4) / 20);
    assertTrue(takeAll(memory, "carol", 5) > 500);
  }

  @Test
  void piecesBecomeSmallerAsItGetsScarce() {
    SegmentMemory memory = new SegmentMemory(96_000);
    for (int client = 0; client < 200; client++) {
      memory.acquire(alice, 2000, 10, grants::add);
    }
    assertEquals(200, grants.size(), "nobody waits");
    assertEquals(750, grants.get(0));
    assertTrue(grants.get(199) < 100, grants::toString);
  }

  @Test
  void whoFindsNoneWaitsInTurn() {
    SegmentMemory memory = new SegmentMemory(100);
    memory.acquire(alice, 100, 100, grants::add);
    assertNotNull(memory.acquire(alice, 40, 40, granted -> grants.add(granted + 1)));
    assertNotNull(memory.acquire(alice, 10, 10, granted -> grants.add(granted + 2)));
    assertEquals(List.of(100L), grants);
    assertEquals(2, memory.waits());
    assertTrue(memory.isAwaited());
    memory.release(alice, 30);
    assertEquals(List.of(100L), grants, "the first in turn does not fit yet");
    memory.release(alice, 70);
    assertEquals(List.of(100L, 41L, 12L), grants);
    assertFalse(memory.isAwaited());
    memory.release(alice, 40);
    memory.release(alice, 10);
    assertEquals(0, memory.usedBytes());
  }

  @Test
  void whoWaitsNoMoreIsGrantedNothing() {
    SegmentMemory memory = new SegmentMemory(100);
    memory.acquire(alice, 100, 100, grants::add);
    var waiter = memory.acquire(alice, 10, 10, grants::add);
    Objects.requireNonNull(waiter).cancel();
    memory.release(alice, 100);
    assertEquals(List.of(100L), grants);
    assertEquals(0, memory.usedBytes());
  }

  @Test
  void moreThanThereIsIsGrantedWhatThereIs() {
    SegmentMemory memory = new SegmentMemory(100);
    memory.acquire(alice, 500, 500, grants::add);
    assertEquals(List.of(100L), grants);
  }

  private record Held(DeviceRead read, long bytes) {}

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void neverGrantsMoreThanItHas(long seed) {
    Random random = new Random(seed);
    SegmentMemory memory = new SegmentMemory(1000);
    List<Held> held = new ArrayList<>();
    Map<DeviceRead, Integer> open = new HashMap<>();
    for (int step = 0; step < 5000; step++) {
      if (random.nextBoolean()) {
        int number = random.nextInt(6);
        DeviceRead read = on(random.nextInt(3), "user" + number / 2, number);
        long least = 1L + random.nextInt(300);
        open.merge(read, 1, Integer::sum);
        memory.acquire(
            read,
            least + random.nextInt(300),
            least,
            granted -> {
              open.merge(read, -1, Integer::sum);
              held.add(new Held(read, granted));
            });
      } else if (!held.isEmpty()) {
        Held back = held.remove(random.nextInt(held.size()));
        memory.release(back.read(), back.bytes());
      }
      long sum = held.stream().mapToLong(Held::bytes).sum();
      assertEquals(sum, memory.usedBytes(), "seed " + seed);
      assertTrue(sum <= 1000, "seed " + seed);
    }
    while (!held.isEmpty()) {
      Held back = held.remove(0);
      memory.release(back.read(), back.bytes());
    }
    assertEquals(0, memory.usedBytes(), "seed " + seed);
    assertTrue(open.values().stream().allMatch(left -> left == 0), "all were served, " + seed);
  }
}
