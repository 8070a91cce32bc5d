// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaneQueueTest {
  private static LaneQueue.Job read(String file, long offset) {
    return new LaneQueue.Job("alice", file, offset, () -> {});
  }

  private static List<String> drain(LaneQueue queue) {
    List<String> order = new ArrayList<>();
    for (LaneQueue.Job job = queue.poll(); job != null; job = queue.poll()) {
      order.add(job.file + job.offset);
    }
    return order;
  }

  @Test
  void aDiskIsReadOnwardByFileAndOffset() {
    LaneQueue queue = new LaneQueue(true);
    queue.add(read("b", 5));
    queue.add(read("a", 9));
    queue.add(read("a", 1));
    assertEquals("a1", drain(queue).get(0));
    queue.add(read("b", 5));
    queue.add(read("b", 4));
    queue.add(read("c", 1));
    queue.add(read("a", 7));
    assertEquals(List.of("b5", "c1", "a7", "b4"), drain(queue), "on from b5, then anew");
  }

  @Test
  void lookUpsGoFirstOnADisk() {
    LaneQueue queue = new LaneQueue(true);
    queue.add(read("a", 1));
    queue.add(LaneQueue.Job.lookUp("alice", () -> {}));
    assertEquals(List.of("0", "a1"), drain(queue));
  }

  @Test
  void otherMediaServeInTheOrderOfArrival() {
    LaneQueue queue = new LaneQueue(false);
    queue.add(read("b", 5));
    queue.add(LaneQueue.Job.lookUp("alice", () -> {}));
    queue.add(read("a", 1));
    assertEquals(List.of("b5", "0", "a1"), drain(queue));
  }

  @Test
  void nobodyIsOvertakenForEver() {
    LaneQueue queue = new LaneQueue(true);
    queue.add(read("m", 0));
    assertEquals(List.of("m0"), drain(queue));
    queue.add(read("a", 0));
    int taken = 0;
    for (long offset = 1; ; offset++) {
      queue.add(read("m", offset));
      queue.add(LaneQueue.Job.lookUp("alice", () -> {}));
      LaneQueue.Job job = queue.poll();
      assertNotNull(job);
      if (job.file.equals("a")) {
        break;
      }
      taken++;
      assertTrue(taken <= LaneQueue.MOST_PASSED + 1, "a0 waits for ever");
    }
    assertTrue(taken >= LaneQueue.MOST_PASSED, "the order was given up too early: " + taken);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void everyJobIsTakenOnce(long seed) {
    Random random = new Random(seed);
    LaneQueue queue = new LaneQueue(random.nextBoolean());
    Set<LaneQueue.Job> waiting = new HashSet<>();
    for (int step = 0; step < 2000; step++) {
      if (random.nextInt(5) < 3) {
        LaneQueue.Job job =
            random.nextInt(4) == 0
                ? new LaneQueue.Job("alice", "", step, () -> {})
                : read("f" + random.nextInt(4), random.nextInt(50) * 1000L + step % 7);
        waiting.add(job);
        queue.add(job);
      } else {
        LaneQueue.Job job = queue.poll();
        assertEquals(waiting.isEmpty(), job == null);
        assertTrue(job == null || waiting.remove(job), "seed " + seed);
      }
      assertEquals(waiting.size(), queue.size(), "seed " + seed);
    }
    drain(queue).forEach(job -> {});
    assertEquals(0, queue.size());
    assertNull(queue.poll());
  }
}
