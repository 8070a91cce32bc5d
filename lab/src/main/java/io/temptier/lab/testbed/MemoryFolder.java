// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where images lie in memory, so that the machine's own disk does not slow an emulated one. */
public final class MemoryFolder {
  /** A file system in memory, where there is one. */
  public static final Path SHM = Path.of("/dev/shm");

  private MemoryFolder() {}

  /**
   * The folder in memory if there is room, else another.
   *
   * @param cachedBytes of those that will be in the page cache as well, being images of disks
   * @param otherwise where to go if not
   */
  public static Path ifRoomFor(long bytes, long cachedBytes, Path otherwise) throws IOException {
    boolean room =
        Files.isWritable(SHM)
            && Files.getFileStore(SHM).getUsableSpace() > bytes
            && availableBytes() > bytes + cachedBytes;
    return room ? SHM : otherwise;
  }

  /** Memory that is not in use. */
  private static long availableBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
      if (line.startsWith("MemAvailable:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    return 0;
  }
}
