// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Bounds the memory of a run's processes, page cache included, by a control group that is named
 * after the run's folder. Without that a small job never reads a disk.
 */
public final class MemoryGroup implements Closeable {
  private static final String SUBTREE = IoMaxThrottle.SUBTREE;

  /** In the run's folder: the controller was off for groups, and is to be off again. */
  private static final String WAS_OFF = "memory-controller-was-off";

  private final Path cgroups;
  private final Path home;
  private final ControlGroup group;

  private MemoryGroup(Path cgroups, Path home, ControlGroup group) {
    this.cgroups = cgroups;
    this.home = home;
    this.group = group;
  }

  /**
   * Makes one.
   *
   * @param home the run's folder
   * @param bytes the bound
   * @return empty when this kernel has no memory controller that we may write to
   * @throws IOException when the kernel refuses
   */
  public static Optional<MemoryGroup> create(Path home, long bytes) throws IOException {
    return create(Throttle.CGROUPS, home, bytes);
  }

  static Optional<MemoryGroup> create(Path cgroups, Path home, long bytes) throws IOException {
    Path first = cgroups.resolve("memory");
    Path subtree = cgroups.resolve(SUBTREE);
    if (Files.isWritable(first.resolve("cgroup.procs"))) {
      return Optional.of(limited(cgroups, home, first, "memory.limit_in_bytes", bytes));
    }
    if (!Files.isWritable(subtree) || !words(cgroups.resolve("cgroup.controllers"))) {
      return Optional.empty();
    }
    if (!words(subtree)) {
      Files.writeString(home.resolve(WAS_OFF), "");
      Files.writeString(subtree, "+memory");
    }
    return Optional.of(limited(cgroups, home, cgroups, "memory.max", bytes));
  }

  private static MemoryGroup limited(Path cgroups, Path home, Path parent, String file, long bytes)
      throws IOException {
    Path folder = Files.createDirectories(parent.resolve(String.valueOf(home.getFileName())));
    Files.writeString(folder.resolve(file), Long.toString(bytes));
    return new MemoryGroup(cgroups, home, new ControlGroup(folder));
  }

  private static boolean words(Path file) throws IOException {
    return List.of(Files.readString(file).trim().split(" ", -1)).contains("memory");
  }

  /** What to start a process with so that it and its children are bound. */
  public List<String> inGroup(List<String> command) {
    return group.join(command);
  }

  /** How many processes are in it. */
  public int processes() throws IOException {
    return group.processes().size();
  }

  /** Ends its processes, and removes it. */
  @Override
  public void close() throws IOException {
    remove(cgroups, home);
  }

  /** Ends the processes of a run's group of either version, and removes it, if there is one. */
  static void remove(Path cgroups, Path home) throws IOException {
    Path name = Path.of(String.valueOf(home.getFileName()));
    new ControlGroup(cgroups.resolve("memory").resolve(name)).remove();
    new ControlGroup(cgroups.resolve(name)).remove();
    if (Files.deleteIfExists(home.resolve(WAS_OFF))) {
      Files.writeString(cgroups.resolve(SUBTREE), "-memory");
    }
  }
}
