// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OwnDiskTest {
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

  @Test
  void aMemoryFileSystemHasNoDeviceToCount() throws IOException {
    Path memory = Path.of("/dev/shm");
    if (Files.isWritable(memory)) {
      try (OwnDisk disk = OwnDisk.create(memory)) {
        assertFalse(disk.counted());
        assertEquals(0, disk.traffic().writes());
      }
    }
  }
}
