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
package io.temptier.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A real ext4 file system of a given size on a loop device, for tests that run as root; unmounted
 * and detached on close.
 */
public final class LoopDisk implements AutoCloseable {
  private final Path image;
  private final Path mount;

  private LoopDisk(Path image, Path mount) {
    this.image = image;
    this.mount = mount;
  }

  /**
   * Makes a disk, or says on standard output why it cannot and returns null.
   *
   * @param folder where its image and mount point go
   * @param bytes size of the image
   */
  public static @Nullable LoopDisk tryCreate(Path folder, long bytes) throws IOException {
    Path image = folder.resolve("disk.img");
    Path mount = Files.createDirectories(folder.resolve("disk"));
    if (!"root".equals(System.getProperty("user.name"))) {
      System.out.println("SKIPPED: a real ext4 needs root; a capped dir stands in for it");
      return null;
    }
    if (run("truncate", "-s", Long.toString(bytes), image.toString()) == 0
        && run("mkfs.ext4", "-q", "-F", "-m", "0", image.toString()) == 0
        && run("mount", "-o", "loop,noatime", image.toString(), mount.toString()) == 0) {
      return new LoopDisk(image, mount);
    }
    Files.deleteIfExists(image);
    System.out.println("SKIPPED: no loop device or mkfs.ext4 here; a capped dir stands in for it");
    return null;
  }

  /** Where it is mounted. */
  public Path path() {
    return mount;
  }

  /** Remounts it read-only, as the kernel does on errors. */
  public void remountReadOnly() throws IOException {
    int code = run("mount", "-o", "remount,ro", mount.toString());
    if (code != 0) {
      throw new IOException("mount -o remount,ro " + mount + " ended with " + code);
    }
  }

  @Override
  public void close() throws IOException {
    if (run("umount", mount.toString()) != 0) {
      run("umount", "-l", mount.toString());
    }
    Files.deleteIfExists(image);
  }

  private static int run(String... command) {
    try {
      Process process = new ProcessBuilder(command).inheritIO().start();
      if (!process.waitFor(1, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        return -1;
      }
      return process.exitValue();
    } catch (IOException e) {
      // The command is not installed.
      return -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }
}
