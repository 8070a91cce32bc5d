// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Slows block devices down by the kernel's control groups. */
public interface Throttle {
  /** Where the kernel shows its control groups. */
  Path CGROUPS = Path.of("/sys/fs/cgroup");

  /**
   * Limits a device, reads and writes each.
   *
   * @param device its numbers, as in {@code 7:0}
   * @throws IOException when the kernel refuses
   */
  void limit(String device, DiskSpeed speed) throws IOException;

  /**
   * Lifts all limits of a device. Harmless where there are none.
   *
   * @throws IOException when the kernel refuses
   */
  void lift(String device) throws IOException;

  /**
   * What to start a process with so that the limits hold for it.
   *
   * @param command the program and its arguments
   */
  List<String> inGroup(List<String> command);

  /** Whether the limits hold for every process, in a group or not. */
  boolean forAll();

  /** What it is, for people. */
  String description();

  /**
   * The one this kernel has.
   *
   * @param cgroups {@link #CGROUPS}, or a test's own folder
   * @param home the run's folder; a group is named after it
   * @return empty when it has none that we may write to
   */
  static Optional<Throttle> find(Path cgroups, Path home) throws IOException {
    if (BlkioThrottle.isAt(cgroups)) {
      return Optional.of(new BlkioThrottle(cgroups));
    }
    Path controllers = cgroups.resolve("cgroup.controllers");
    if (Files.isWritable(cgroups.resolve(IoMaxThrottle.SUBTREE))
        && List.of(Files.readString(controllers).trim().split(" ", -1)).contains("io")) {
      return Optional.of(new IoMaxThrottle(cgroups, home));
    }
    return Optional.empty();
  }
}
