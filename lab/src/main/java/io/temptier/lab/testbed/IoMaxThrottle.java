// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The second version's {@code io.max}. Its root group cannot be limited, so there is a group for
 * the processes that are to be slowed down, named after the run's folder.
 */
final class IoMaxThrottle implements Throttle {
  /** The file of a group that says what its groups are limited by. */
  static final String SUBTREE = "cgroup.subtree_control";

  /** In the run's folder: the controller was off for groups, and is to be off again. */
  private static final String WAS_OFF = "io-controller-was-off";

  private final Path cgroups;
  private final Path group;
  private final Path wasOff;

  IoMaxThrottle(Path cgroups, Path home) {
    this.cgroups = cgroups;
    this.group = cgroups.resolve(home.getFileName());
    this.wasOff = home.resolve(WAS_OFF);
  }

  @Override
  public void limit(String device, DiskSpeed speed) throws IOException {
    Path subtree = cgroups.resolve(SUBTREE);
    if (!List.of(Files.readString(subtree).trim().split(" ", -1)).contains("io")) {
      Files.writeString(wasOff, "");
      Files.writeString(subtree, "+io");
    }
    Files.createDirectories(group);
    Files.writeString(
        group.resolve("io.max"),
        device
            + (" rbps=" + speed.bytesPerSecond() + " wbps=" + speed.bytesPerSecond())
            + (" riops=" + speed.iops() + " wiops=" + speed.iops()));
  }

  @Override
  public void lift(String device) throws IOException {
    // The limits go with their group, which goes when its processes have ended.
    Files.deleteIfExists(group);
    if (Files.deleteIfExists(wasOff)) {
      Files.writeString(cgroups.resolve(SUBTREE), "-io");
    }
  }

  @Override
  public List<String> inGroup(List<String> command) {
    return new ControlGroup(group).join(command);
  }

  @Override
  public boolean forAll() {
    return false;
  }

  @Override
  public String description() {
    return "cgroup v2 io.max";
  }
}
