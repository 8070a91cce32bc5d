// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Needs.NeedsMergerfs;
import io.temptier.fixtures.Needs.NeedsPageCache;
import io.temptier.fixtures.Needs.NeedsSlowDisk;
import io.temptier.lab.process.Shell;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is measured and kept of disks and folders. */
final class DisksTest {
  @TempDir private Path dir;

  @Test
  void leavesWhatIsTheUsersAndNothingElse() throws IOException {
    Path users = Files.writeString(dir.resolve("users"), "data");
    try (OwnDisk disk = OwnDisk.create(dir)) {
      assertTrue(disk.mount().startsWith(dir.toRealPath()), disk.mount().toString());
      Files.writeString(disk.mount().resolve("ours"), "data");
    }
    try (Stream<Path> left = Files.list(dir)) {
      assertEquals(List.of(users), left.toList());
    }
  }

  @Test
  void countsByTheDeviceThatTheKernelNames() throws IOException {
    try (OwnDisk disk = OwnDisk.create(dir)) {
      String device = OwnDisk.deviceOf(disk.mount());
      boolean mounted =
          Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
              .anyMatch(line -> line.split(" ", -1)[2].equals(device));
      assertTrue(mounted, device);
      assertEquals(Files.exists(Path.of("/sys/dev/block", device)), disk.counted());
      assertTrue(disk.traffic().writtenBytes() >= 0);
    }
  }

  private static final DiskSpeed SPEED = new DiskSpeed(30, 40);

  @Test
  void readsTheKernelsFields() {
    DiskTraffic traffic =
        DiskTraffic.parse(
            "  443336  45 74283592 452925  54162 63224 65961660 2240837 0 239676 9 0\n");
    assertEquals(new DiskTraffic(443336, 74283592L * 512, 54162, 65961660L * 512, 239676), traffic);
    assertEquals(new DiskTraffic(0, 0, 0, 0, 0), traffic.since(traffic));
  }

  @Test
  void theLoadIsThatOfWhateverIsScarcest() {
    assertEquals(0.5, new DiskTraffic(1, 30_000_000, 0, 0, 0).share(SPEED, 2));
    assertEquals(0.25, new DiskTraffic(0, 0, 20, 1000, 0).share(SPEED, 2));
    assertEquals(1, new DiskTraffic(0, 0, 400, 1000, 0).share(SPEED, 2));
  }

  @Test
  void countsFilesAndNoLinks() throws IOException {
    Path fast = Files.createDirectories(dir.resolve("fast/a/b"));
    Path slow = Files.write(dir.resolve("slow"), new byte[1000]);
    Files.write(fast.resolve("file"), new byte[10]);
    Files.createSymbolicLink(fast.resolve("link"), slow);
    Path claims = Files.createDirectories(dir.resolve("fast/.temptier/claims"));
    Files.write(claims.resolve("claim"), new byte[100]);
    assertEquals(10, Folders.bytesOf(dir.resolve("fast")));
    assertEquals(0, Folders.bytesOf(dir.resolve("gone")));
  }

  private static final int BYTES = 4 << 20;

  @Test
  @NeedsPageCache
  void aFileThatWasReadIsColdAgain() throws IOException {
    Path file = dir.resolve("a file");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(java.nio.ByteBuffer.allocate(BYTES));
      channel.force(true);
    }
    Files.readAllBytes(file);
    assertTrue(cached(file) > BYTES / 2, "cached before: " + cached(file));
    PageCache.drop(List.of(file));
    assertTrue(cached(file) < BYTES / 2, "cached after: " + cached(file));
  }

  @Test
  void allThatWasOpenedIsClosedAndTheFirstFailureIsSaid() {
    List<String> closed = new ArrayList<>();
    IOException first =
        assertThrows(
            IOException.class,
            () ->
                Opened.make(
                    opened -> {
                      opened.push(() -> closed.add("first"));
                      opened.push(
                          () -> {
                            throw new IllegalStateException("closing");
                          });
                      throw new IOException("making");
                    }));
    assertEquals("making", first.getMessage());
    assertTrue(first.getSuppressed()[0].toString().contains("closing"));
    assertEquals(List.of("first"), closed);
  }

  private static long cached(Path file) throws IOException {
    return Long.parseLong(Shell.run("fincore", "-b", "-n", "-o", "RES", file.toString()));
  }

  @Test
  @NeedsMergerfs
  @NeedsSlowDisk
  void aNewFileOfAMergedMountGoesIntoTheFirstFolder() throws IOException {
    Path first = dir.resolve("first");
    Path second = dir.resolve("second");
    Path at = dir.resolve("merged");
    try (MergedMount mount =
        MergedMount.create(at, List.of(first, second), 1 << 20, UnaryOperator.identity())) {
      Files.writeString(mount.path().resolve("file"), "text");
      assertEquals("text", Files.readString(first.resolve("file")));
      assertFalse(Files.exists(second.resolve("file")));
    }
    assertFalse(Files.exists(at));
    assertTrue(Files.exists(first.resolve("file")), "what is in the folders stays");
  }

  @Test
  @NeedsMergerfs
  @NeedsSlowDisk
  void aMergedMountGoesWithTheFolderOfItsRunEvenWhenItsProcessIsGone() throws IOException {
    try (TestbedHome home = TestbedHome.create(dir)) {
      Path at = home.path().resolve("merged");
      ControlGroup group =
          ControlGroup.ofMemory(ControlGroup.CGROUPS, home.path(), 256 << 20).orElseThrow();
      MergedMount mount =
          MergedMount.create(at, List.of(home.path().resolve("a")), 1 << 20, group::join);
      assertEquals(at, mount.path());
      group.close();
    }
    assertFalse(Files.readString(Path.of("/proc/self/mountinfo")).contains(dir.toString()));
    try (var left = Files.list(dir)) {
      assertEquals(0, left.count());
    }
  }
}
