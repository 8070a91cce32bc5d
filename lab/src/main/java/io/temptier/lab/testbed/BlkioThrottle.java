// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The first version's {@code blkio} controller: limits on the root group cover writeback too. */
final class BlkioThrottle implements Throttle {
  private static final String FILES = "blkio/blkio.throttle.";

  private final Path cgroups;

  BlkioThrottle(Path cgroups) {
    this.cgroups = cgroups;
  }

  static boolean isAt(Path cgroups) {
    return Files.isWritable(cgroups.resolve(FILES + "read_bps_device"));
  }

  @Override
  public void limit(String device, DiskSpeed speed) throws IOException {
    set(device, speed.bytesPerSecond(), speed.iops());
  }

  @Override
  public void lift(String device) throws IOException {
    set(device, 0, 0);
  }

  @Override
  public List<String> inGroup(List<String> command) {
    return command;
  }

  @Override
  public boolean forAll() {
    return true;
  }

  @Override
  public String description() {
    return "cgroup v1 blkio.throttle";
  }

  private void set(String device, long bytesPerSecond, long iops) throws IOException {
    for (String way : List.of("read", "write")) {
      Files.writeString(
          cgroups.resolve(FILES + way + "_bps_device"), device + " " + bytesPerSecond);
      Files.writeString(cgroups.resolve(FILES + way + "_iops_device"), device + " " + iops);
    }
  }
}
