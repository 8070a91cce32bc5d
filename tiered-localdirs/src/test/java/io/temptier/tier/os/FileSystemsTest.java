// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.LoopDisk;
import io.temptier.fixtures.Needs.NeedsLoopDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the kernel tells of file systems: where they are mounted, and their inodes. */
class FileSystemsTest {
  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource({
    "'/mnt/odd\rname', '/mnt/odd\rname'",
    "/mnt/odd\\015name, '/mnt/odd\rname'",
    "/mnt/tab\\011and\\040space\\134slash, '/mnt/tab\tand space\\slash'",
    "/mnt/two\\012lines, '/mnt/two\nlines'",
    "/mnt/no\\888octal\\777, /mnt/no\\888octal\\777"
  })
  void theMountOfAPathIsFoundWhateverItsName(String written, String point) throws IOException {
    Path mountinfo = temp.resolve("mountinfo");
    String text =
        """
        1 0 8:1 / / rw - ext4 /dev/sda1 rw
        36 1 8:17 / %s rw,relatime shared:1 - ext4 /dev/sdb1 rw
        37 1 8:33 / /mnt/plain rw,relatime shared:2 - ext4 /dev/mapper/caf\\303\\251 rw
        """
            .formatted(written);
    Files.write(mountinfo, text.getBytes(StandardCharsets.UTF_8));
    MountTable mounts = MountTable.read(mountinfo);
    MountTable.Mount found = mounts.of(Path.of(point, "yarn")).orElseThrow();
    assertEquals("8:17", found.device(), text);
    assertEquals(Path.of(point), found.mountPoint());
    MountTable.Mount plain = mounts.of(Path.of("/mnt/plain/yarn")).orElseThrow();
    assertEquals("8:33", plain.device(), text);
    assertEquals("/dev/mapper/caf\u00e9", plain.source());
  }

  @Test
  void whatDidNotChangeIsNotParsedAgain() throws IOException {
    Path mountinfo = temp.resolve("mountinfo");
    Files.writeString(mountinfo, "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n");
    MountTable first = MountTable.read(mountinfo);
    assertSame(first, MountTable.read(mountinfo, first));
    Files.writeString(mountinfo, "1 0 8:2 / / rw - ext4 /dev/sda2 rw\n");
    MountTable second = MountTable.read(mountinfo, first);
    assertEquals("8:2", second.of(Path.of("/yarn")).orElseThrow().device());
  }

  @Test
  void aMissingDirDoesNotKeepInodesOfTheOthersBack() throws Exception {
    Path first = Files.createDirectory(temp.resolve("first dir"));
    Path last = Files.createDirectory(temp.resolve("last"));
    Map<Path, InodeCounts> counts = InodeCounts.of(List.of(first, temp.resolve("missing"), last));
    assertEquals(Set.of(first, last), counts.keySet());
    assertEquals(of(counts, first).total(), of(counts, last).total());
    assertEquals(InodeCounts.UNBOUNDED, InodeCounts.of(temp.resolve("missing")));
  }

  @Test
  @NeedsLoopDisk
  void eachDirHasTheInodesOfItsOwnFileSystem() throws Exception {
    try (LoopDisk small = LoopDisk.create(Files.createDirectory(temp.resolve("s")), 16 << 20);
        LoopDisk large = LoopDisk.create(Files.createDirectory(temp.resolve("l")), 64 << 20)) {
      Map<Path, InodeCounts> counts = InodeCounts.of(List.of(large.path(), small.path()));
      assertTrue(of(counts, large.path()).total() > of(counts, small.path()).total(), "" + counts);
      assertTrue(of(counts, small.path()).free() > 0, "" + counts);
    }
  }

  /** CephFS has -1 inodes free, some file systems behind FUSE 2^64 - 1 of all. */
  @Test
  void inodesThatSayNothingBoundNothingAndKeepNoOthersBack() {
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
