// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.lab.process.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written into the kernel's files, on folders that look like them. */
final class ThrottleTest {
  private static final DiskSpeed SPEED = new DiskSpeed(30, 40);

  @TempDir private Path cgroups;
  @TempDir private Path home;

  @Test
  void firstVersionLimitsBothWaysAndLiftsWithZeros() throws IOException {
    for (String file : List.of("read_bps", "read_iops", "write_bps", "write_iops")) {
      Files.createDirectories(cgroups.resolve("blkio"));
      Files.writeString(blkio(file), "");
    }
    Throttle throttle = Throttle.find(cgroups, home).orElseThrow();
    throttle.limit("7:1", SPEED);
    assertEquals("7:1 30000000", Files.readString(blkio("read_bps")));
    assertEquals("7:1 30000000", Files.readString(blkio("write_bps")));
    assertEquals("7:1 40", Files.readString(blkio("read_iops")));
    assertEquals("7:1 40", Files.readString(blkio("write_iops")));
    assertTrue(throttle.forAll());
    assertEquals(List.of("java"), throttle.inGroup(List.of("java")));
    throttle.lift("7:1");
    assertEquals("7:1 0", Files.readString(blkio("read_bps")));
    assertEquals("7:1 0", Files.readString(blkio("write_iops")));
  }

  @Test
  void secondVersionLimitsAGroupAndPutsTheControllerBackAsItWas() throws IOException {
    Path subtree = cgroups.resolve("cgroup.subtree_control");
    Files.writeString(cgroups.resolve("cgroup.controllers"), "cpu io memory\n");
    Files.writeString(subtree, "cpu memory\n");
    Throttle throttle = Throttle.find(cgroups, home).orElseThrow();
    throttle.limit("7:1", SPEED);
    Path group = cgroups.resolve(home.getFileName());
    assertEquals("+io", Files.readString(subtree));
    assertEquals(
        "7:1 rbps=30000000 wbps=30000000 riops=40 wiops=40",
        Files.readString(group.resolve("io.max")));
    assertFalse(throttle.forAll());
    // The kernel's own files go with a group; these have to be told.
    Files.delete(group.resolve("io.max"));
    throttle.lift("7:1");
    assertFalse(Files.exists(group));
    assertEquals("-io", Files.readString(subtree));
  }

  @Test
  void secondVersionLeavesAControllerOnThatWasOn() throws IOException {
    Path subtree = cgroups.resolve("cgroup.subtree_control");
    Files.writeString(cgroups.resolve("cgroup.controllers"), "io\n");
    Files.writeString(subtree, "io\n");
    Throttle throttle = Throttle.find(cgroups, home).orElseThrow();
    throttle.limit("7:1", SPEED);
    Files.delete(cgroups.resolve(home.getFileName()).resolve("io.max"));
    throttle.lift("7:1");
    assertEquals("io\n", Files.readString(subtree));
  }

  @Test
  void aProcessOfTheGroupJoinsItBeforeItIsTheProgram() throws IOException {
    Files.writeString(cgroups.resolve("cgroup.controllers"), "io\n");
    Files.writeString(cgroups.resolve("cgroup.subtree_control"), "io\n");
    Throttle throttle = Throttle.find(cgroups, home).orElseThrow();
    throttle.limit("7:1", SPEED);
    Path group = cgroups.resolve(home.getFileName());
    String pid = Shell.run(throttle.inGroup(List.of("sh", "-c", "echo $$ $0", "a b")));
    assertEquals(pid, Files.readString(group.resolve("cgroup.procs")).trim() + " a b");
  }

  @Test
  void withoutAControllerThereIsNone() throws IOException {
    assertTrue(Throttle.find(cgroups, home).isEmpty());
    Files.writeString(cgroups.resolve("cgroup.controllers"), "cpu memory\n");
    Files.writeString(cgroups.resolve("cgroup.subtree_control"), "\n");
    assertTrue(Throttle.find(cgroups, home).isEmpty());
  }

  @Test
  void aSpeedOfNothingIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new DiskSpeed(30, 0));
  }

  private Path blkio(String file) {
    return cgroups.resolve("blkio/blkio.throttle." + file + "_device");
  }
}
