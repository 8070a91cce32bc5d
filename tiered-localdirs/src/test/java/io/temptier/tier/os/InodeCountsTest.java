// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InodeCountsTest {
  @TempDir Path temp;

  @Test
  void aMissingDirDoesNotKeepTheOthersAnswersBack() throws Exception {
    Path first = Files.createDirectory(temp.resolve("first dir"));
    Path last = Files.createDirectory(temp.resolve("last"));
    Map<Path, InodeCounts> counts = InodeCounts.of(List.of(first, temp.resolve("missing"), last));
    assertEquals(Set.of(first, last), counts.keySet());
    assertEquals(of(counts, first).total(), of(counts, last).total());
    assertEquals(InodeCounts.UNBOUNDED, InodeCounts.of(temp.resolve("missing")));
  }

  @Test
  @NeedsLoopDisk
  void eachDirHasTheNumbersOfItsOwnFileSystem() throws Exception {
    try (LoopDisk small = LoopDisk.create(Files.createDirectory(temp.resolve("s")), 16 << 20);
        LoopDisk large = LoopDisk.create(Files.createDirectory(temp.resolve("l")), 64 << 20)) {
      Map<Path, InodeCounts> counts = InodeCounts.of(List.of(large.path(), small.path()));
      assertTrue(of(counts, large.path()).total() > of(counts, small.path()).total(), "" + counts);
      assertTrue(of(counts, small.path()).free() > 0, "" + counts);
    }
  }

  private static InodeCounts of(Map<Path, InodeCounts> counts, Path dir) {
    return Objects.requireNonNull(counts.get(dir), dir::toString);
  }
}
