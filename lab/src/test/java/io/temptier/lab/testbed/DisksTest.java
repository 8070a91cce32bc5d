// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.fixtures.Eventually;
import io.temptier.fixtures.Needs.NeedsMergerfs;
import io.temptier.fixtures.Needs.NeedsPageCache;
import io.temptier.fixtures.Needs.NeedsSlowDisk;
import io.temptier.lab.process.JavaCommand;
import io.temptier.lab.process.Shell;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is measured and kept of disks and folders, and that nothing outlives a run. */
final class DisksTest {
  @TempDir private Path dir;

  @Test
  void leavesWhatIsTheUsersAndNothingElse() throws IOException {
    Path users = Files.writeString(dir.resolve("users"), "data");
    try (OwnDisk disk = OwnDisk.create(dir)) {
      assertTrue(disk.mount().startsWith(dir.toRealPath()), disk.mount().toString());
      Files.writeString(disk.mount().resolve("ours"), "data");
    }
    assertEquals(List.of(users), left());
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
    assertEquals(List.of(), left());
  }

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
    try (TestbedHome home = TestbedHome.create(dir)) {
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
    try (TestbedHome own = TestbedHome.create(dir)) {
      Process holder = hold(0);
      try {
        Path others = made(holder);
        TestbedHome.sweep(dir);
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
      Path folder = Files.createDirectory(dir.resolve(name));
      Files.writeString(folder.resolve("file"), "text");
      Files.setLastModifiedTime(folder, longAgo);
    }
    Path file = Files.writeString(dir.resolve(TestbedHome.PREFIX + "1"), "text");
    Files.setLastModifiedTime(file, longAgo);
    TestbedHome.create(dir).close();
    assertEquals(3, left().size(), () -> "left: " + left());
    assertTrue(Files.exists(dir.resolve("temptier-bench-1.0/file")));
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
        TestbedHome.create(dir).close();
        assertEquals(List.of(), left());
      }
    } finally {
      holder.destroyForcibly();
    }
    awaitNothingLeft();
  }

  private void awaitNothingLeft() throws Exception {
    Eventually.holds("nothing is left", () -> left().isEmpty());
    assertEquals(List.of(), LoopDevice.at(dir.toRealPath()));
  }

  private Process hold(int disks) throws IOException {
    return new ProcessBuilder(
            JavaCommand.likeThis(List.of("-Xmx64m"), Holder.class, dir.toString(), "" + disks))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static Path made(Process holder) throws IOException {
    String line = String.valueOf(holder.inputReader(StandardCharsets.UTF_8).readLine());
    assertTrue(line.startsWith("made "), line);
    return Path.of(line.substring("made ".length()));
  }

  private List<Path> left() {
    try (Stream<Path> files = Files.list(dir)) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
