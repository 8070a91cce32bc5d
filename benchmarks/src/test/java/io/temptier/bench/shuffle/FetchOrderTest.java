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
package io.temptier.bench.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FetchOrderTest {
  private static final int MAPS = 7;
  private static final int PARTITIONS = 10;

  private final MapOutputs outputs = outputs();

  @Test
  void fetchersShareAllSegmentsAndAskForNoneTwiceInAPass() {
    Set<Segment> asked = new HashSet<>();
    int[] reducers = {4, 3, 3};
    for (int fetcher = 0; fetcher < reducers.length; fetcher++) {
      FetchOrder order = new FetchOrder(outputs, fetcher, reducers.length, 1);
      for (int i = 0; i < reducers[fetcher] * MAPS; i++) {
        Segment segment = order.next();
        assertEquals(true, asked.add(segment), () -> segment + " twice");
      }
    }
    assertEquals(MAPS * PARTITIONS, asked.size());
  }

  @Test
  void aReducerIsDoneBeforeTheNextBegins() {
    FetchOrder order = new FetchOrder(outputs, 1, 3, 1);
    for (int partition : new int[] {1, 4, 7, 1}) {
      Set<String> maps = new HashSet<>();
      for (int i = 0; i < MAPS; i++) {
        Segment segment = order.next();
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

  @Test
  void moreFetchersThanPartitionsHaveWork() {
    assertEquals(2, new FetchOrder(outputs, 12, 20, 1).next().partition());
  }

  private List<Segment> pass(long seed) {
    FetchOrder order = new FetchOrder(outputs, 0, 1, seed);
    List<Segment> segments = new ArrayList<>();
    for (int i = 0; i < MAPS * PARTITIONS; i++) {
      segments.add(order.next());
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
    return new MapOutputs(segments, List.of());
  }
}
