/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.testbed;

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
   * @param bytes of the files that will lie in it
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
