// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A controller of the second version of control groups.
 *
 * @param home the run's folder, which says so if the controller was off for groups before
 */
record Controller(Path cgroups, Path home, String name) {
  boolean available() throws IOException {
    return Files.isWritable(subtree()) && listed(cgroups.resolve("cgroup.controllers"));
  }

  void turnOn() throws IOException {
    if (!listed(subtree())) {
      Files.writeString(wasOff(), "");
      Files.writeString(subtree(), "+" + name);
    }
  }

  void putBack() throws IOException {
    if (Files.deleteIfExists(wasOff())) {
      Files.writeString(subtree(), "-" + name);
    }
  }

  private Path subtree() {
    return cgroups.resolve("cgroup.subtree_control");
  }

  private Path wasOff() {
    return home.resolve(name + "-controller-was-off");
  }

  private boolean listed(Path file) throws IOException {
    return List.of(Files.readString(file).trim().split(" ", -1)).contains(name);
  }
}
