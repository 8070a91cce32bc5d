// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import io.temptier.lab.process.Shell;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Several folders as one, by mergerfs: a new file goes into the first with room, and is moved to
 * another when its disk is full. Closing unmounts it and leaves what is in the folders.
 */
public record MergedMount(Path path) implements Closeable {
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
  private static final Path FUSE = Path.of("/dev/fuse");
  private static final String PROGRAM = "mergerfs";

  /** Tells why there can be none here; empty if there can. */
  public static Optional<String> hindrance() {
    if (!Shell.isOn(Shell.path(), PROGRAM)) {
      return Optional.of("mergerfs is not installed (Debian: apt-get install mergerfs)");
    }
    return Files.isWritable(FUSE) ? Optional.empty() : Optional.of(FUSE + " cannot be written to");
  }

  /**
   * Makes one.
   *
   * @param path where; a folder that is not there yet
   * @param reserveBytes a folder whose disk has less room is passed by
   */
  public static MergedMount create(
      Path path, List<Path> folders, long reserveBytes, UnaryOperator<List<String>> launcher)
      throws IOException {
    Files.createDirectory(path);
    for (Path folder : folders) {
      Files.createDirectories(folder);
    }
    String branches = folders.stream().map(Path::toString).collect(Collectors.joining(":"));
    String options = "category.create=ff,moveonenospc=true,minfreespace=" + reserveBytes;
    Shell.run(launcher.apply(List.of(PROGRAM, "-o", options, branches, path.toString())));
    return new MergedMount(path);
  }

  @Override
  public void close() throws IOException {
    unmountAll(path);
    Files.deleteIfExists(path);
  }

  /**
   * Unmounts every FUSE at a path or below it, whether its process lives or not; for those who have
   * files open in it, it goes when they close them.
   */
  static void unmountAll(Path root) throws IOException {
    for (String at : pathsOf(fields -> fields.get(fields.indexOf("-") + 1).startsWith("fuse"))) {
      if (Path.of(at).startsWith(root)) {
        Shell.run("umount", "-l", at);
      }
    }
  }

  /** Returns the mount points with such fields, see proc_pid_mountinfo(5). */
  static List<String> pathsOf(Predicate<List<String>> wanted) throws IOException {
    return Files.readAllLines(MOUNTS).stream()
        .map(line -> List.of(line.split(" ", -1)))
        .filter(wanted)
        .map(fields -> fields.get(4).replace("\\040", " "))
        .toList();
  }
}
