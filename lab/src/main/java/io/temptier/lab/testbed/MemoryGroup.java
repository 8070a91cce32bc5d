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
public record MemoryGroup(Path cgroups, Path home, ControlGroup group) implements Closeable {
  /**
   * Makes one.
   *
   * @return empty when this kernel has no memory controller that we may write to
   */
  public static Optional<MemoryGroup> create(Path home, long bytes) throws IOException {
    return create(Throttle.CGROUPS, home, bytes);
  }

  static Optional<MemoryGroup> create(Path cgroups, Path home, long bytes) throws IOException {
    Path first = cgroups.resolve("memory");
    Controller second = new Controller(cgroups, home, "memory");
    boolean isFirst = Files.isWritable(first.resolve("cgroup.procs"));
    if (!isFirst) {
      if (!second.available()) {
        return Optional.empty();
      }
      second.turnOn();
    }
    String name = String.valueOf(home.getFileName());
    Path folder = Files.createDirectories((isFirst ? first : cgroups).resolve(name));
    Files.writeString(
        folder.resolve(isFirst ? "memory.limit_in_bytes" : "memory.max"), Long.toString(bytes));
    return Optional.of(new MemoryGroup(cgroups, home, new ControlGroup(folder)));
  }

  /** What to start a process with so that it and its children are bound. */
  public List<String> inGroup(List<String> command) {
    return group.join(command);
  }

  public int processes() throws IOException {
    return group.processes().size();
  }

  @Override
  public void close() throws IOException {
    remove(cgroups, home);
  }

  /** Ends the processes of a run's group of either version, and removes it, if there is one. */
  static void remove(Path cgroups, Path home) throws IOException {
    Path name = Path.of(String.valueOf(home.getFileName()));
    new ControlGroup(cgroups.resolve("memory").resolve(name)).remove();
    new ControlGroup(cgroups.resolve(name)).remove();
    new Controller(cgroups, home, "memory").putBack();
  }
}
