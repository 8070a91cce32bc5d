// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.shuffle.BenchOutputs.Segment;
import io.temptier.bench.shuffle.Load.FetchOrder;
import io.temptier.lab.testbed.DiskSpeed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ShuffleFetchesTest {
  @Test
  void aSlowDiskCannotReadAllOutputsWhileItIsMeasured() {
    int maps = ShuffleFetches.enoughMaps(50, 128, new DiskSpeed(100, 40));
    assertTrue(
        (long) maps * 128 * ShuffleFetches.SEGMENT_BYTES > 50 * 100_000_000L, "maps=" + maps);
  }

  private static final int MAPS = 7;
  private static final int PARTITIONS = 10;

  private final BenchOutputs outputs = outputs();

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

  private FetchOrder order(int fetcher, int fetchers, long seed, boolean endless) {
    return new FetchOrder(new Load.Group(outputs, fetchers, seed), fetcher, endless);
  }

  private static Segment next(FetchOrder order) {
    return Objects.requireNonNull(order.next());
  }

  private static BenchOutputs outputs() {
    List<List<Segment>> segments = new ArrayList<>();
    for (int map = 0; map < MAPS; map++) {
      List<Segment> ofMap = new ArrayList<>();
      for (int partition = 0; partition < PARTITIONS; partition++) {
        ofMap.add(new Segment("m" + map, partition, 1, 1, 1));
      }
      segments.add(ofMap);
    }
    return new BenchOutputs(0, segments, List.of());
  }
}
