// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import io.temptier.lab.process.Await;
import io.temptier.lab.process.Shell;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A run's group of processes as the kernel keeps it, named after the run's folder. The first
 * version of control groups has a tree for each controller, the second one for all.
 *
 * @param cgroups {@link #CGROUPS}, or a test's own folder
 * @param home the run's folder, which says so if a controller was off for groups before
 */
public record ControlGroup(Path cgroups, Path home, String controller) implements Closeable {
  public static final Path CGROUPS = Path.of("/sys/fs/cgroup");

  static final String MEMORY = "memory";
  private static final String PROCESSES = "cgroup.procs";
  private static final Duration DEADLINE = Duration.ofMinutes(5);

  /**
   * Bounds the memory of a run's processes, page cache included. Without that a small job never
   * reads a disk.
   *
   * @return empty when this kernel has no memory controller that we may write to
   */
  public static Optional<ControlGroup> ofMemory(Path cgroups, Path home, long bytes)
      throws IOException {
    ControlGroup group = new ControlGroup(cgroups, home, MEMORY);
    if (!group.ofFirstVersion() && !group.available()) {
      return Optional.empty();
    }
    group.set(
        group.ofFirstVersion() ? "memory.limit_in_bytes" : "memory.max", Long.toString(bytes));
    return Optional.of(group);
  }

  private boolean ofFirstVersion() {
    return Files.isWritable(cgroups.resolve(controller).resolve(PROCESSES));
  }

  /** True if the second version has the controller, and we may turn it on. */
  boolean available() throws IOException {
    return Files.isWritable(subtree()) && listed(cgroups.resolve("cgroup.controllers"));
  }

  private Path folder() {
    return in(ofFirstVersion() ? cgroups.resolve(controller) : cgroups);
  }

  private Path in(Path tree) {
    return tree.resolve(String.valueOf(home.getFileName()));
  }

  /** Writes one of the group's files; makes the group where it is not there. */
  void set(String file, String value) throws IOException {
    if (!ofFirstVersion() && !listed(subtree())) {
      Files.writeString(wasOff(), "");
      Files.writeString(subtree(), "+" + controller);
    }
    Files.writeString(Files.createDirectories(folder()).resolve(file), value);
  }

  /** Returns the command line that puts a process and its children into the group. */
  public List<String> join(List<String> command) {
    String joined = "echo $$ > \"$0\" && exec \"$@\"";
    return Shell.line("sh", "-c", joined, folder().resolve(PROCESSES), command);
  }

  /** Counts the processes in it now; 0 when there is no such group. */
  int processes() throws IOException {
    return processes(folder()).size();
  }

  private static List<ProcessHandle> processes(Path folder) throws IOException {
    try {
      return Files.readAllLines(folder.resolve(PROCESSES)).stream()
          .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid.trim())).stream())
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  /**
   * Ends its processes without grace, and removes it, of either version. Harmless when it is not
   * there.
   */
  @Override
  public void close() throws IOException {
    for (Path tree : List.of(cgroups.resolve(controller), cgroups)) {
      Path folder = in(tree);
      Await.until("the processes of " + folder + " to end", DEADLINE, () -> ended(folder));
      // The kernel gives a group up shortly after its last process.
      Await.until(folder + " to be removed", DEADLINE, () -> gone(folder));
    }
    putBack();
  }

  /** Turns the controller off if it was. */
  private void putBack() throws IOException {
    if (Files.deleteIfExists(wasOff())) {
      Files.writeString(subtree(), "-" + controller);
    }
  }

  /** Removes it when its processes have ended. */
  void remove() throws IOException {
    Files.deleteIfExists(folder());
    putBack();
  }

  private static boolean ended(Path folder) throws IOException {
    List<ProcessHandle> left = processes(folder);
    left.forEach(ProcessHandle::destroyForcibly);
    return left.isEmpty();
  }

  private static boolean gone(Path folder) {
    try {
      Files.deleteIfExists(folder);
      return true;
    } catch (IOException e) {
      return !Files.exists(folder);
    }
  }

  private Path subtree() {
    return cgroups.resolve("cgroup.subtree_control");
  }

  private Path wasOff() {
    return home.resolve(controller + "-controller-was-off");
  }

  private boolean listed(Path file) throws IOException {
    return List.of(Files.readString(file).trim().split(" ", -1)).contains(controller);
  }
}
