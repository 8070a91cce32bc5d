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

  /** CephFS has -1 inodes free, some file systems behind FUSE 2^64 - 1 of all. */
  @Test
  void numbersThatSayNothingBoundNothingAndKeepNoOthersBack() {
    List<Path> dirs = List.of(temp.resolve("a"), temp.resolve("b"), temp.resolve("c"));
    String most = "18446744073709551615";
    List<String> lines = List.of("77 -1 a", most + " " + most + " b", "9223372036854775808 5 c");
    Map<Path, InodeCounts> counts = InodeCounts.parse(lines, dirs);
    dirs.forEach(dir -> assertEquals(InodeCounts.UNBOUNDED, counts.get(dir)));
    assertEquals(InodeCounts.of(7, 5), InodeCounts.parse(List.of("7 5 d"), dirs).get(Path.of("d")));
  }

  private static InodeCounts of(Map<Path, InodeCounts> counts, Path dir) {
    return Objects.requireNonNull(counts.get(dir), dir::toString);
  }
}
