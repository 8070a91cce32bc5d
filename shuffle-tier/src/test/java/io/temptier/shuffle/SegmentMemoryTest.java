/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentMemoryTest {
  private final List<Long> grants = new ArrayList<>();

  @Test
  void grantsInFullWhileThereIsPlenty() {
    SegmentMemory memory = new SegmentMemory(800);
    memory.acquire(100, 10, grants::add);
    assertEquals(List.of(100L), grants);
    assertEquals(100, memory.usedBytes());
  }

  @Test
  void theLastQuarterIsGivenInLeastPieces() {
    SegmentMemory memory = new SegmentMemory(800);
    for (int i = 0; i < 4; i++) {
      assertFalse(memory.scarce());
      memory.acquire(150, 10, grants::add);
    }
    assertTrue(memory.scarce());
    memory.acquire(150, 10, grants::add);
    memory.acquire(150, 30, grants::add);
    assertEquals(List.of(150L, 150L, 150L, 150L, 10L, 30L), grants);
    memory.release(150);
    assertFalse(memory.scarce());
    memory.acquire(150, 10, grants::add);
    assertEquals(110L, grants.get(6), "down to the last quarter");
  }

  @Test
  void whoFindsNoneWaitsInTurn() {
    SegmentMemory memory = new SegmentMemory(100);
    memory.acquire(100, 100, grants::add);
    memory.acquire(60, 60, granted -> grants.add(granted + 1));
    memory.acquire(10, 10, granted -> grants.add(granted + 2));
    assertEquals(List.of(100L), grants);
    assertEquals(2, memory.waits());
    memory.release(50);
    assertEquals(List.of(100L), grants, "the first in turn does not fit yet");
    memory.release(50);
    assertEquals(List.of(100L, 61L, 12L), grants);
    memory.release(60);
    memory.release(10);
    assertEquals(0, memory.usedBytes());
  }

  @Test
  void moreThanThereIsIsGivenWhatThereIs() {
    SegmentMemory memory = new SegmentMemory(100);
    memory.acquire(500, 500, grants::add);
    assertEquals(List.of(100L), grants);
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void neverGrantsMoreThanItHas(long seed) {
    Random random = new Random(seed);
    SegmentMemory memory = new SegmentMemory(1000);
    List<Long> held = new ArrayList<>();
    int asked = 0;
    for (int step = 0; step < 5000; step++) {
      if (random.nextBoolean()) {
        long least = 1L + random.nextInt(300);
        memory.acquire(least + random.nextInt(300), least, held::add);
        asked++;
      } else if (!held.isEmpty()) {
        memory.release(held.remove(random.nextInt(held.size())));
      }
      long sum = held.stream().mapToLong(Long::longValue).sum();
      assertEquals(sum, memory.usedBytes(), "seed " + seed);
      assertTrue(sum <= 1000, "seed " + seed);
    }
    int granted = 0;
    while (!held.isEmpty()) {
      memory.release(held.remove(0));
      granted++;
    }
    assertTrue(asked > 0 && granted > 0);
    assertEquals(0, memory.usedBytes(), "everybody who waited was served, seed " + seed);
  }
}
