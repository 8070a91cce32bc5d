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
package io.temptier.bench.cluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A small ext4 of its own on a loop device, which can be made read-only. Needs root. */
final class LoopDisk implements AutoCloseable {
  private final Path mount;
  private final Path image;
  private int mounts = 1;

  private LoopDisk(Path mount, Path image) {
    this.mount = mount;
    this.image = image;
  }

  /**
   * Makes one.
   *
   * @param mount an existing empty folder
   * @param bytes its size
   * @throws IOException when this machine or user cannot; the message says why
   */
  static LoopDisk mount(Path mount, long bytes) throws IOException, InterruptedException {
    Path image = mount.resolveSibling(mount.getFileName() + ".img");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(bytes);
    }
    run("mkfs.ext4", "-q", "-F", "-m", "0", image.toString());
    run("mount", "-o", "loop", image.toString(), mount.toString());
    return new LoopDisk(mount, image);
  }

  /**
   * Turns it read-only to whoever opens a file from now on. A plain remount is refused as long as
   * somebody has a file open for writing, so a read-only view of the disk is put on top of it.
   */
  void remountReadOnly() throws IOException, InterruptedException {
    run("mount", "--bind", mount.toString(), mount.toString());
    mounts++;
    run("mount", "-o", "remount,bind,ro", mount.toString());
  }

  /** Unmounts it, lazily if somebody still has a file open, and lets go of the loop device. */
  @Override
  public void close() throws IOException {
    try {
      for (; mounts > 0; mounts--) {
        run("umount", "-l", mount.toString());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      Files.deleteIfExists(image);
    }
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + output.trim());
    }
  }
}
