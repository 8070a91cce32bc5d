// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import io.temptier.lab.process.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A group of processes as the kernel keeps it, of either version.
 *
 * @param folder its folder below {@link Throttle#CGROUPS}
 */
record ControlGroup(Path folder) {
  private static final String PROCESSES = "cgroup.procs";
  private static final Duration DEADLINE = Duration.ofMinutes(5);

  /** What to start a process with so that it and its children are in the group. */
  List<String> join(List<String> command) {
    List<String> line = new ArrayList<>(List.of("sh", "-c", "echo $$ > \"$0\" && exec \"$@\""));
    line.add(folder.resolve(PROCESSES).toString());
    line.addAll(command);
    return line;
  }

  /** Those in it now; none when there is no such group. */
  List<ProcessHandle> processes() throws IOException {
    try {
      return Files.readAllLines(folder.resolve(PROCESSES)).stream()
          .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid.trim())).stream())
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  /** Ends its processes without grace, and removes it. Harmless when it is not there. */
  void remove() throws IOException {
    Await.until("the processes of " + folder + " to end", DEADLINE, this::ended);
    // The kernel gives a group up shortly after its last process.
    Await.until(folder + " to be removed", DEADLINE, this::gone);
  }

  private boolean ended() throws IOException {
    List<ProcessHandle> left = processes();
    left.forEach(ProcessHandle::destroyForcibly);
    return left.isEmpty();
  }

  private boolean gone() throws IOException {
    try {
      Files.deleteIfExists(folder);
      return true;
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      return !Files.exists(folder);
    }
  }
}
