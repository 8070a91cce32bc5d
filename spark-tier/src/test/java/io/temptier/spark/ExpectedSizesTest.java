// SPDX-License-Identifier: Apache-2.0
package io.temptier.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.temptier.tier.FileKind;
import io.temptier.tier.LocalDir;
import io.temptier.tier.Medium;
import io.temptier.tier.policy.Placement;
import io.temptier.tier.policy.PlacementRequest;
import io.temptier.tier.policy.Reason;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExpectedSizesTest {
  private static final long MOST = 1 << 20;
  private static final Placement PLACEMENT =
      Placement.of(
          LocalDir.of(Path.of("/x"), Medium.DISK, LocalDir.NO_CAP, "test"),
          Reason.FASTEST,
          List.of());

  private final ExpectedSizes sizes = new ExpectedSizes(MOST);
  private long tickets;

  private void written(String group, long bytes) {
    PlacementRequest request = PlacementRequest.of("x", FileKind.SPILL, 64, false, null, tickets++);
    sizes.writing(request, group);
    sizes.settled(request, PLACEMENT, bytes);
  }

  @Test
  void nineOfTenAreNoLargerThanExpected() {
    for (long i = 1; i <= 10; i++) {
      written("stage 1", i * 100L);
    }
    assertEquals(900, sizes.expected("stage 1"));
    assertEquals(0, sizes.expected("stage 2"));
  }

  @Test
  void twoFilesAndEmptyOnesTellNothing() {
    written("stage 1", 100);
    written("stage 1", 100);
    written("stage 1", 0);
    assertEquals(0, sizes.expected("stage 1"));
    written("stage 1", 100);
    assertEquals(100, sizes.expected("stage 1"));
  }

  @Test
  void theLastFilesTellAndNoneIsExpectedToBeLargerThanTheBound() {
    for (int i = 0; i < 3; i++) {
      written("stage 1", 10 * MOST);
    }
    assertEquals(MOST, sizes.expected("stage 1"));
    for (int i = 0; i < 32; i++) {
      written("stage 1", 5);
    }
    assertEquals(5, sizes.expected("stage 1"));
  }

  @Test
  void groupsThatAreNotUsedAreForgotten() {
    for (int i = 0; i < 3; i++) {
      written("first", 7);
    }
    for (int i = 0; i < 1000; i++) {
      written("stage " + i, 7);
    }
    assertEquals(0, sizes.expected("first"));
  }
}
