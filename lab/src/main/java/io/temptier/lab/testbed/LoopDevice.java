// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import io.temptier.lab.process.Await;
import io.temptier.lab.process.Shell;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A loop device that is in use, as the kernel shows it.
 *
 * @param name such as {@code loop0}
 * @param numbers such as {@code 7:0}
 */
record LoopDevice(String name, String numbers) {
  private static final Path BLOCK = Path.of("/sys/block");
  private static final Duration UNMOUNT = Duration.ofSeconds(3);

  static LoopDevice over(Path image) throws IOException {
    String device = Shell.run("losetup", "-f", "--show", image.toString());
    return named(device.replace("/dev/", ""));
  }

  /** Returns devices whose image is {@code path} or lies below it, deleted images included. */
  static List<LoopDevice> at(Path path) throws IOException {
    List<LoopDevice> found = new ArrayList<>();
    if (!Files.isDirectory(BLOCK)) {
      return found;
    }
    try (DirectoryStream<Path> loops = Files.newDirectoryStream(BLOCK, "loop*")) {
      for (Path loop : loops) {
        String image = image(loop);
        if (image.startsWith(path + "/") || image.equals(path.toString())) {
          found.add(named(loop.getFileName().toString()));
        }
      }
    }
    return found;
  }

  static void releaseAll(Path path) throws IOException {
    for (LoopDevice device : at(path)) {
      device.release();
    }
  }

  String file() {
    return "/dev/" + name;
  }

  int readAheadKiB() throws IOException {
    return Integer.parseInt(Files.readString(readAhead()).trim());
  }

  void setReadAheadKiB(int kib) throws IOException {
    Files.writeString(readAhead(), Integer.toString(kib));
  }

  DiskTraffic traffic() throws IOException {
    return DiskTraffic.parse(Files.readString(BLOCK.resolve(name).resolve("stat")));
  }

  List<String> mounts() throws IOException {
    return MergedMount.pathsOf(fields -> fields.get(2).equals(numbers));
  }

  /** Unmounts it everywhere, and gives it back. Patient with processes that are just ending. */
  void release() throws IOException {
    for (String mount : mounts()) {
      try {
        Await.until(mount + " to be unmounted", UNMOUNT, () -> unmounted(mount));
      } catch (IOException e) {
        // The file system then goes with its last open file.
        Shell.run("umount", "-l", mount);
      }
    }
    Shell.run("losetup", "-d", file());
  }

  private static boolean unmounted(String mount) {
    try {
      Shell.run("umount", mount);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private Path readAhead() {
    return BLOCK.resolve(name).resolve("queue/read_ahead_kb");
  }

  /** The file behind a device, or nothing when it is not in use. */
  private static String image(Path loop) throws IOException {
    try {
      return Files.readString(loop.resolve("loop/backing_file"))
          .trim()
          .replaceFirst(" \\(deleted\\)$", "");
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  private static LoopDevice named(String name) throws IOException {
    return new LoopDevice(name, Files.readString(BLOCK.resolve(name).resolve("dev")).trim());
  }
}
