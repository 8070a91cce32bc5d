// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsSlowDisk;
import io.temptier.lab.process.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written into the kernel's files, on folders that look like them. */
final class KernelFilesTest {
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
    for (String way : List.of("read", "write")) {
      assertEquals("7:1 30000000", Files.readString(blkio(way + "_bps")));
      assertEquals("7:1 40", Files.readString(blkio(way + "_iops")));
    }
    assertTrue(throttle.forAll());
    assertEquals(List.of("java"), throttle.inGroup(List.of("java")));
    throttle.lift("7:1");
    assertEquals("7:1 0", Files.readString(blkio("read_bps")));
    assertEquals("7:1 0", Files.readString(blkio("write_iops")));
  }

  /** Files as of control groups of the second version. */
  private void secondVersion(String controllers, String on) throws IOException {
    Files.writeString(cgroups.resolve("cgroup.controllers"), controllers + "\n");
    Files.writeString(cgroups.resolve("cgroup.subtree_control"), on + "\n");
  }

  private String on() throws IOException {
    return Files.readString(cgroups.resolve("cgroup.subtree_control"));
  }

  private Path group() {
    return cgroups.resolve(home.getFileName());
  }

  /** The kernel's own files go with a group; these have to be told. */
  private static String take(Path file) throws IOException {
    String text = Files.readString(file);
    Files.delete(file);
    return text;
  }

  @Test
  void secondVersionLimitsAGroupAndPutsTheControllerBackAsItWas() throws IOException {
    secondVersion("cpu io memory", "cpu memory");
    Throttle throttle = Throttle.find(cgroups, home).orElseThrow();
    throttle.limit("7:1", SPEED);
    assertEquals("+io", on());
    assertEquals(
        "7:1 rbps=30000000 wbps=30000000 riops=40 wiops=40", take(group().resolve("io.max")));
    assertFalse(throttle.forAll());
    throttle.lift("7:1");
    assertFalse(Files.exists(group()));
    assertEquals("-io", on());
  }

  @Test
  void secondVersionLeavesAControllerOnThatWasOnAndProcessesJoinBeforeTheyAreTheProgram()
      throws IOException {
    secondVersion("io", "io");
    Throttle throttle = Throttle.find(cgroups, home).orElseThrow();
    throttle.limit("7:1", SPEED);
    String pid = Shell.run(throttle.inGroup(List.of("sh", "-c", "echo $$ $0", "a b")));
    assertEquals(pid, take(group().resolve("cgroup.procs")).trim() + " a b");
    Files.delete(group().resolve("io.max"));
    throttle.lift("7:1");
    assertEquals("io\n", on());
  }

  @Test
  void withoutAControllerThereIsNone() throws IOException {
    assertTrue(Throttle.find(cgroups, home).isEmpty());
    assertTrue(ControlGroup.ofMemory(cgroups, home, 4096).isEmpty());
    secondVersion("cpu", "");
    assertTrue(Throttle.find(cgroups, home).isEmpty());
    assertTrue(ControlGroup.ofMemory(cgroups, home, 4096).isEmpty());
  }

  private Path blkio(String file) {
    return cgroups.resolve("blkio/blkio.throttle." + file + "_device");
  }

  @Test
  void firstVersionBoundsAGroupNamedAfterTheRun() throws IOException {
    Files.createDirectories(cgroups.resolve("memory"));
    Files.writeString(cgroups.resolve("memory/cgroup.procs"), "");
    assertTrue(ControlGroup.ofMemory(cgroups, home, 4096).isPresent());
    Path group = cgroups.resolve("memory").resolve(home.getFileName());
    assertEquals("4096", take(group.resolve("memory.limit_in_bytes")));
    new ControlGroup(cgroups, home, ControlGroup.MEMORY).close();
    assertFalse(Files.exists(group));
  }

  @Test
  void secondVersionBoundsMemoryAndPutsTheControllerBackAsItWas() throws IOException {
    secondVersion("cpu memory", "cpu");
    assertTrue(ControlGroup.ofMemory(cgroups, home, 4096).isPresent());
    assertEquals("+memory", on());
    assertEquals("4096", take(group().resolve("memory.max")));
    new ControlGroup(cgroups, home, ControlGroup.MEMORY).close();
    assertFalse(Files.exists(group()));
    assertEquals("-memory", on());
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

  @TempDir private Path vm;
  @TempDir private Path other;

  @BeforeEach
  void kernelDefaults() throws IOException {
    set("dirty_bytes", "0");
    set("dirty_ratio", "20");
    set("dirty_background_bytes", "0");
    set("dirty_background_ratio", "10");
  }

  @Test
  void whatWasRatiosIsPutBackAsRatios() throws IOException {
    PageCache.bound(vm, home);
    assertEquals("67108864", get("dirty_bytes"));
    assertEquals("16777216", get("dirty_background_bytes"));
    // As the kernel does when the other of a pair is written.
    set("dirty_ratio", "0");
    set("dirty_background_ratio", "0");
    PageCache.restore(vm, home);
    assertEquals(List.of("20", "10"), List.of(get("dirty_ratio"), get("dirty_background_ratio")));
    set("dirty_ratio", "30");
    PageCache.restore(vm, home);
    assertEquals("30", get("dirty_ratio"), "put back a second time");
  }

  @Test
  void aSecondRunLeavesTheBoundToTheFirst() throws IOException {
    PageCache.bound(vm, home);
    PageCache.bound(vm, other);
    PageCache.restore(vm, other);
    assertEquals("67108864", get("dirty_bytes"));
    try (var files = Files.list(other)) {
      assertEquals(0, files.count(), "it wrote down what it did not change");
    }
  }

  @Test
  void aKernelsFileIsReadWhole() throws IOException {
    Path file = Path.of("/proc/sys/vm/dirty_expire_centisecs");
    assertEquals(Shell.run("cat", file.toString()), PageCache.read(file));
  }

  private void set(String key, String value) throws IOException {
    Files.writeString(vm.resolve(key), value);
  }

  private String get(String key) throws IOException {
    return Files.readString(vm.resolve(key));
  }
}
