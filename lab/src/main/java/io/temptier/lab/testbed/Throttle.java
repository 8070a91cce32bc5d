// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Slows block devices down by the kernel's control groups. Limits on the first version's root group
 * cover writeback, too. The second version's root group cannot be limited, so there is a group for
 * the processes that are to be slowed down, named after the run's folder.
 *
 * @param forAll whether the limits hold for every process, in a group or not
 */
public record Throttle(ControlGroup group, boolean forAll) {
  private static final String FIRST = "blkio/blkio.throttle.%s_%s_device";

  /**
   * The one this kernel has.
   *
   * @param cgroups {@link ControlGroup#CGROUPS}, or a test's own folder
   * @param home the run's folder; a group is named after it
   * @return empty when it has none that we may write to
   */
  static Optional<Throttle> find(Path cgroups, Path home) throws IOException {
    ControlGroup group = new ControlGroup(cgroups, home, "io");
    boolean first = Files.isWritable(cgroups.resolve(FIRST.formatted("read", "bps")));
    return first || group.available() ? Optional.of(new Throttle(group, first)) : Optional.empty();
  }

  /**
   * Limits a device, reads and writes each.
   *
   * @param device its numbers, as in {@code 7:0}
   */
  void limit(String device, DiskSpeed speed) throws IOException {
    if (forAll) {
      set(device, speed.bytesPerSecond(), speed.iops());
      return;
    }
    group.set(
        "io.max",
        "%1$s rbps=%2$d wbps=%2$d riops=%3$d wiops=%3$d"
            .formatted(device, speed.bytesPerSecond(), speed.iops()));
  }

  /** Lifts all limits of a device. Harmless where there are none. */
  void lift(String device) throws IOException {
    if (forAll) {
      set(device, 0, 0);
      return;
    }
    // The limits go with their group.
    group.remove();
  }

  private void set(String device, long bytesPerSecond, long iops) throws IOException {
    for (String way : List.of("read", "write")) {
      Path files = group.cgroups();
      Files.writeString(files.resolve(FIRST.formatted(way, "bps")), device + " " + bytesPerSecond);
      Files.writeString(files.resolve(FIRST.formatted(way, "iops")), device + " " + iops);
    }
  }

  /** Returns the command line of a process for which the limits hold. */
  List<String> inGroup(List<String> command) {
    return forAll ? command : group.join(command);
  }

  String description() {
    return forAll ? "cgroup v1 blkio.throttle" : "cgroup v2 io.max";
  }
}
