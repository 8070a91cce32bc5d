// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Folder of images in memory, so that the machine's own disk does not slow an emulated one. */
public final class MemoryFolder {
  public static final Path SHM = Path.of("/dev/shm");

  public static final Path MEMORY = Path.of("/proc/meminfo");

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
            && bytes(MEMORY, "MemAvailable") > bytes + cachedBytes;
    return room ? SHM : otherwise;
  }

  /**
   * A line of a file of {@code /proc} such as {@code MemTotal: 16 kB}, in bytes; 0 where there is
   * no such line or file.
   */
  public static long bytes(Path file, String key) throws IOException {
    List<String> lines = Files.isReadable(file) ? Files.readAllLines(file) : List.of();
    for (String line : lines) {
      if (line.startsWith(key + ":")) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    return 0;
  }
}
