// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.os.FileStamp;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemotionOrderTest {
  private static final LocalDir DIR =
      LocalDir.of(Path.of("/nvme0/yarn"), Medium.NVME, LocalDir.NO_CAP, "test");

  private static Candidate candidate(int number, double fetched, long modified) {
    FileStamp stamp =
        FileStamp.of(1, number, 0100640, 0, 0, 1, 1 << 20, FileTime.fromMillis(modified), "file");
    return Candidate.of(TestNode.id(number), DIR, stamp, fetched);
  }

  private static List<Integer> order(Candidate... candidates) {
    return DemotionOrder.coldestFirst(List.of(candidates)).stream()
        .map(candidate -> (int) candidate.stamp().inode())
        .toList();
  }

  @Test
  void putsWhatEveryReducerFetchedFirst() {
    assertEquals(
        List.of(2, 3, 1), order(candidate(1, 0.99, 1), candidate(2, 1, 900), candidate(3, 1, 901)));
  }

  @Test
  void thenWhatWasFetchedFurthestThenTheOldest() {
    assertEquals(
        List.of(4, 2, 3, 1),
        order(
            candidate(1, 0, 500),
            candidate(2, 0.25, 900),
            candidate(3, 0, 400),
            candidate(4, 0.5, 999)));
  }

  @Test
  void takesWhatIsNoShareForNotFetched() {
    assertEquals(
        List.of(5, 3, 1, 2, 4),
        order(
            candidate(1, Double.NaN, 10),
            candidate(2, -1, 11),
            candidate(3, 0, 9),
            candidate(4, Double.NEGATIVE_INFINITY, 12),
            candidate(5, 7, 99)));
    assertEquals(
        List.of(1, 2), order(candidate(2, Double.POSITIVE_INFINITY, 2), candidate(1, 1, 1)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 31415, 20261121})
  void isTotalWhateverTheOrderBefore(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      List<Candidate> candidates = new ArrayList<>();
      for (int number = random.nextInt(30); number > 0; number--) {
        candidates.add(candidate(number, random.nextInt(4) / 3.0, random.nextInt(3)));
      }
      List<Candidate> ordered = DemotionOrder.coldestFirst(candidates);
      String where = "seed " + seed + ", round " + round;
      assertEquals(candidates.size(), ordered.size(), where);
      assertTrue(ordered.containsAll(candidates), where);
      for (int i = 1; i < ordered.size(); i++) {
        Candidate before = ordered.get(i - 1);
        Candidate after = ordered.get(i);
        boolean colder = before.fetched() > after.fetched();
        boolean older =
            before.fetched() == after.fetched()
                && before.stamp().modified().compareTo(after.stamp().modified()) <= 0;
        assertTrue(colder || older, where + ": " + before + " before " + after);
      }
      Collections.shuffle(candidates, random);
      assertEquals(ordered, DemotionOrder.coldestFirst(candidates), where);
    }
  }
}
