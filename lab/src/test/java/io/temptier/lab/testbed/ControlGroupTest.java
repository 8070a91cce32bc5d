// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.NeedsSlowDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written into the kernel's files, and, as root, a group of the kernel's own. */
final class ControlGroupTest {
  @TempDir private Path cgroups;
  @TempDir private Path home;

  @Test
  void firstVersionBoundsAGroupNamedAfterTheRun() throws IOException {
    Files.createDirectories(cgroups.resolve("memory"));
    Files.writeString(cgroups.resolve("memory/cgroup.procs"), "");
    assertTrue(ControlGroup.ofMemory(cgroups, home, 4096).isPresent());
    Path group = cgroups.resolve("memory").resolve(home.getFileName());
    assertEquals("4096", Files.readString(group.resolve("memory.limit_in_bytes")));
    // The kernel's own files go with a group; these have to be told.
    Files.delete(group.resolve("memory.limit_in_bytes"));
    new ControlGroup(cgroups, home, ControlGroup.MEMORY).close();
    assertFalse(Files.exists(group));
  }

  @Test
  void secondVersionPutsTheControllerBackAsItWas() throws IOException {
    Path subtree = cgroups.resolve("cgroup.subtree_control");
    Files.writeString(cgroups.resolve("cgroup.controllers"), "cpu memory\n");
    Files.writeString(subtree, "cpu\n");
    assertTrue(ControlGroup.ofMemory(cgroups, home, 4096).isPresent());
    Path group = cgroups.resolve(home.getFileName());
    assertEquals("+memory", Files.readString(subtree));
    assertEquals("4096", Files.readString(group.resolve("memory.max")));
    Files.delete(group.resolve("memory.max"));
    new ControlGroup(cgroups, home, ControlGroup.MEMORY).close();
    assertFalse(Files.exists(group));
    assertEquals("-memory", Files.readString(subtree));
  }

  @Test
  void withoutAControllerThereIsNone() throws IOException {
    assertTrue(ControlGroup.ofMemory(cgroups, home, 4096).isEmpty());
    Files.writeString(cgroups.resolve("cgroup.controllers"), "cpu io\n");
    Files.writeString(cgroups.resolve("cgroup.subtree_control"), "\n");
    assertTrue(ControlGroup.ofMemory(cgroups, home, 4096).isEmpty());
  }

  @Test
  @NeedsSlowDisk
  void removingAGroupEndsItsProcessesAndTheirChildren() throws Exception {
    try (TestbedHome testbed = TestbedHome.create(home)) {
      ControlGroup group =
          ControlGroup.ofMemory(ControlGroup.CGROUPS, testbed.path(), 64 << 20).orElseThrow();
      try {
        List<String> command = group.join(List.of("sh", "-c", "sleep 600 & exec sleep 600"));
        Process process = new ProcessBuilder(command).start();
        Eventually.holds("the child is in the group", () -> group.processes() == 2);
        new ControlGroup(ControlGroup.CGROUPS, testbed.path(), ControlGroup.MEMORY).close();
        assertTrue(process.waitFor(10, TimeUnit.MINUTES), "it still runs");
        assertEquals(0, group.processes());
      } finally {
        group.close();
      }
    }
  }
}
