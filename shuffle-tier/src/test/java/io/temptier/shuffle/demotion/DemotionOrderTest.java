// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle.demotion;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.shuffle.demotion.move.Candidate;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.os.FileStamp;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemotionOrderTest {
  private static final LocalDir DIR =
      LocalDir.of(Path.of("/nvme0/yarn"), Medium.NVME, LocalDir.NO_CAP, "test");

  private static Candidate candidate(int number, double fetched, long modified) {
    FileStamp stamp =
        FileStamp.of(number, 0100640, 0, 0, 1, 1 << 20, FileTime.fromMillis(modified));
    return Candidate.of(TestNode.id(number), DIR, stamp, fetched);
  }

  private static void assertOrder(List<Integer> expected, Candidate... candidates) {
    assertEquals(
        expected,
        DemotionOrder.coldestFirst(List.of(candidates)).stream()
            .map(candidate -> (int) candidate.stamp().key())
            .toList());
  }

  @Test
  void putsWhatEveryReducerFetchedFirstThenWhatWasFetchedFurthestThenTheOldest() {
    assertOrder(
        List.of(5, 6, 1, 4, 2, 3),
        candidate(1, 0.99, 1),
        candidate(2, 0, 400),
        candidate(3, 0, 500),
        candidate(4, 0.25, 900),
        candidate(5, 1, 998),
        candidate(6, 1, 999));
  }
}
