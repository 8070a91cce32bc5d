// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.shuffle.Load.FetchOrder;
import io.temptier.bench.shuffle.MapOutputs.Segment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FetchOrderTest {
  private static final int MAPS = 7;
  private static final int PARTITIONS = 10;

  private final MapOutputs outputs = outputs();

  @Test
  void fetchersShareAllSegmentsAndAskForNoneTwiceInAPass() {
    for (int fetchers : new int[] {1, 3, PARTITIONS, PARTITIONS + 3}) {
      Set<Segment> asked = new HashSet<>();
      for (int fetcher = 0; fetcher < fetchers; fetcher++) {
        FetchOrder order = order(fetcher, fetchers, 1, false);
        for (Segment next = order.next(); next != null; next = order.next()) {
          Segment segment = next;
          assertTrue(asked.add(segment), () -> segment + " twice");
        }
        assertNull(order.next());
      }
      assertEquals(MAPS * PARTITIONS, asked.size());
    }
  }

  @Test
  void anEndlessOrderAsksForAllBeforeItBeginsAnew() {
    FetchOrder order = order(0, 1, 1, true);
    for (int pass = 0; pass < 3; pass++) {
      Set<Segment> asked = new HashSet<>();
      for (int i = 0; i < MAPS * PARTITIONS; i++) {
        asked.add(next(order));
      }
      assertEquals(MAPS * PARTITIONS, asked.size());
    }
  }

  @Test
  void aReducerIsDoneBeforeTheNextBegins() {
    FetchOrder order = order(1, 3, 1, true);
    for (int partition : new int[] {1, 4, 7, 1}) {
      Set<String> maps = new HashSet<>();
      for (int i = 0; i < MAPS; i++) {
        Segment segment = next(order);
        assertEquals(partition, segment.partition());
        maps.add(segment.map());
      }
      assertEquals(MAPS, maps.size());
    }
  }

  @Test
  void theSeedGivesTheOrderOfTheMaps() {
    assertEquals(pass(1), pass(1));
    assertNotEquals(pass(1), pass(2));
  }

  private FetchOrder order(int fetcher, int fetchers, long seed, boolean endless) {
    return new FetchOrder(new Load.Group(outputs, fetchers, seed), fetcher, endless);
  }

  private static Segment next(FetchOrder order) {
    return Objects.requireNonNull(order.next());
  }

  private List<Segment> pass(long seed) {
    FetchOrder order = order(0, 1, seed, true);
    List<Segment> segments = new ArrayList<>();
    for (int i = 0; i < MAPS * PARTITIONS; i++) {
      segments.add(next(order));
    }
    return segments;
  }

  private static MapOutputs outputs() {
    List<List<Segment>> segments = new ArrayList<>();
    for (int map = 0; map < MAPS; map++) {
      List<Segment> ofMap = new ArrayList<>();
      for (int partition = 0; partition < PARTITIONS; partition++) {
        ofMap.add(new Segment("m" + map, partition, 1, 1, 1));
      }
      segments.add(ofMap);
    }
    return new MapOutputs(0, segments, List.of());
  }
}
