// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsSlowDisk;
import io.temptier.lab.process.JavaCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing outlives a run, whoever is killed: with folders, and with throttled disks. */
final class TestbedHomeTest {
  @TempDir private Path parent;

  /** A JVM that has a testbed, and a disk in it if it may, until it is killed. */
  public static final class Holder {
    private Holder() {}

    /** Makes them in the folder {@code args[0]}, with {@code args[1]} disks, and says where. */
    public static void main(String[] args) throws IOException {
      TestbedHome home = TestbedHome.create(Path.of(args[0]));
      for (int disk = 0; disk < Integer.parseInt(args[1]); disk++) {
        EmulatedDisk.create(home.path(), "disk" + disk, 16 << 20).limit(new DiskSpeed(10, 10));
      }
      System.out.println("made " + home.path());
      System.in.read();
      System.exit(1);
    }
  }

  @Test
  @NeedsSlowDisk
  void closingADiskLeavesNoDevice() throws IOException {
    try (TestbedHome home = TestbedHome.create(parent)) {
      try (EmulatedDisk disk = EmulatedDisk.create(home.path(), "disk", 16 << 20)) {
        Files.writeString(disk.mount().resolve("file"), "text");
        assertEquals("ext4", Files.getFileStore(disk.mount()).type());
        LoopDevice device = LoopDevice.at(home.path()).get(0);
        assertEquals(List.of(disk.mount().toString()), device.mounts());
        assertEquals(128, device.readAheadKiB());
      }
      assertEquals(List.of(), LoopDevice.at(home.path()));
      assertFalse(Files.exists(home.path().resolve("disk.img")));
    }
  }

  @Test
  void aRunThatLivesKeepsItsFolder() throws Exception {
    try (TestbedHome own = TestbedHome.create(parent)) {
      Process holder = hold(0);
      try {
        Path others = made(holder);
        TestbedHome.sweep(parent);
        assertTrue(Files.exists(own.path()));
        assertTrue(Files.exists(others));
        // To look must not have given the own lock up.
        assertFalse(TestbedHome.removeIfDead(own.path()));
      } finally {
        holder.destroyForcibly();
      }
    }
    awaitNothingLeft();
  }

  /** Such as what was unpacked from a tarball of the same name. */
  @Test
  void whatIsNoRunsFolderStays() throws IOException {
    FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofDays(1)));
    for (String name : List.of("temptier-bench-1.0", TestbedHome.PREFIX + "mine")) {
      Path folder = Files.createDirectory(parent.resolve(name));
      Files.writeString(folder.resolve("file"), "text");
      Files.setLastModifiedTime(folder, longAgo);
    }
    Path file = Files.writeString(parent.resolve(TestbedHome.PREFIX + "1"), "text");
    Files.setLastModifiedTime(file, longAgo);
    TestbedHome.create(parent).close();
    assertEquals(3, left().size(), () -> "left: " + left());
    assertTrue(Files.exists(parent.resolve("temptier-bench-1.0/file")));
  }

  /** By the janitor, or by the next run if that is killed, too. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aKilledRunIsCleanedUp(boolean withItsJanitor) throws Exception {
    killedRunIsCleanedUp(0, withItsJanitor);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @NeedsSlowDisk
  void aDiskOfAKilledRunIsCleanedUp(boolean withItsJanitor) throws Exception {
    killedRunIsCleanedUp(1, withItsJanitor);
  }

  private void killedRunIsCleanedUp(int disks, boolean withItsJanitor) throws Exception {
    Process holder = hold(disks);
    try {
      Path home = made(holder);
      assertEquals(disks, LoopDevice.at(home).size());
      if (withItsJanitor) {
        List<ProcessHandle> janitors = holder.descendants().toList();
        assertEquals(1, janitors.size());
        janitors.forEach(ProcessHandle::destroyForcibly);
        holder.destroyForcibly().waitFor(10, TimeUnit.MINUTES);
        assertTrue(Files.exists(home), "nobody is left to remove it");
        TestbedHome.create(parent).close();
        assertEquals(List.of(), left());
      }
    } finally {
      holder.destroyForcibly();
    }
    awaitNothingLeft();
  }

  private void awaitNothingLeft() throws Exception {
    Eventually.holds("nothing is left", () -> left().isEmpty());
    assertEquals(List.of(), LoopDevice.at(parent.toRealPath()));
  }

  private Process hold(int disks) throws IOException {
    return new ProcessBuilder(
            JavaCommand.likeThis(List.of("-Xmx64m"), Holder.class, parent.toString(), "" + disks))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static Path made(Process holder) throws IOException {
    String line = String.valueOf(holder.inputReader(StandardCharsets.UTF_8).readLine());
    assertTrue(line.startsWith("made "), line);
    return Path.of(line.substring("made ".length()));
  }

  private List<Path> left() {
    try (Stream<Path> files = Files.list(parent)) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
