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
public record Throttle(Path cgroups, Path group, Controller controller, boolean forAll) {
  /** Where the kernel shows its control groups. */
  public static final Path CGROUPS = Path.of("/sys/fs/cgroup");

  private static final String FIRST = "blkio/blkio.throttle.%s_%s_device";

  /**
   * The one this kernel has.
   *
   * @param cgroups {@link #CGROUPS}, or a test's own folder
   * @param home the run's folder; a group is named after it
   * @return empty when it has none that we may write to
   */
  static Optional<Throttle> find(Path cgroups, Path home) throws IOException {
    Controller second = new Controller(cgroups, home, "io");
    boolean first = Files.isWritable(cgroups.resolve(FIRST.formatted("read", "bps")));
    Path group = cgroups.resolve(String.valueOf(home.getFileName()));
    return first || second.available()
        ? Optional.of(new Throttle(cgroups, group, second, first))
        : Optional.empty();
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
    controller.turnOn();
    Files.createDirectories(group);
    Files.writeString(
        group.resolve("io.max"),
        "%1$s rbps=%2$d wbps=%2$d riops=%3$d wiops=%3$d"
            .formatted(device, speed.bytesPerSecond(), speed.iops()));
  }

  /** Lifts all limits of a device. Harmless where there are none. */
  void lift(String device) throws IOException {
    if (forAll) {
      set(device, 0, 0);
      return;
    }
    // The limits go with their group, which goes when its processes have ended.
    Files.deleteIfExists(group);
    controller.putBack();
  }

  private void set(String device, long bytesPerSecond, long iops) throws IOException {
    for (String way : List.of("read", "write")) {
      Files.writeString(
          cgroups.resolve(FIRST.formatted(way, "bps")), device + " " + bytesPerSecond);
      Files.writeString(cgroups.resolve(FIRST.formatted(way, "iops")), device + " " + iops);
    }
  }

  /** What to start a process with so that the limits hold for it. */
  List<String> inGroup(List<String> command) {
    return forAll ? command : new ControlGroup(group).join(command);
  }

  String description() {
    return forAll ? "cgroup v1 blkio.throttle" : "cgroup v2 io.max";
  }
}
