// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.testbed;

import io.temptier.lab.process.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A real ext4 on a loop device over a file, which can be slowed down to the speed of a hard disk.
 * Needs root. Not thread-safe.
 *
 * <p>What is emulated is a rate and a number of requests per second, at any distance between them:
 * a request next to the last one costs what a far one does, where a real disk would be quicker.
 */
public record EmulatedDisk(Path mount, Path image, LoopDevice device, Throttle throttle)
    implements Disk {
  private static final long MIB = 1 << 20;

  /** The kernel's default. Said because a loop device keeps what was set for an earlier image. */
  private static final int READ_AHEAD_KIB = 128;

  /** Tells why there can be none here; empty if there can. */
  public static Optional<String> hindrance() throws IOException {
    if (!Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
      return Optional.of("emulated disks need root");
    }
    if (!Files.exists(Path.of("/dev/loop-control"))) {
      return Optional.of("emulated disks need loop devices, and there is no /dev/loop-control");
    }
    if (Throttle.find(ControlGroup.CGROUPS, Path.of("/none")).isEmpty()) {
      return Optional.of(
          "emulated disks need the blkio or io controller, and "
              + ControlGroup.CGROUPS
              + " has neither to write to");
    }
    return Optional.empty();
  }

  /**
   * Makes one, not slowed down yet.
   *
   * @param home the folder of a run; the disk's image and mount point are made in it
   * @throws IOException when the system refuses; nothing is left then
   */
  public static EmulatedDisk create(Path home, String name, long bytes) throws IOException {
    Path image = home.resolve(name + ".img");
    Path mount = Files.createDirectories(home.resolve(name));
    Throttle throttle =
        Throttle.find(ControlGroup.CGROUPS, home)
            .orElseThrow(() -> new IOException("there is no controller to slow a disk with"));
    return Opened.make(
        opened -> {
          opened.push(() -> release(image));
          // Whole megabytes: a device ends at a whole sector.
          Shell.run("fallocate", "-l", (bytes + MIB - 1) / MIB + "MiB", image.toString());
          // Nothing must be written later, behind the back of what is measured.
          String eager = "lazy_itable_init=0,lazy_journal_init=0";
          Shell.run("mkfs.ext4", "-q", "-F", "-m", "0", "-E", eager, image.toString());
          LoopDevice device = LoopDevice.over(image);
          device.setReadAheadKiB(READ_AHEAD_KIB);
          Shell.run("mount", "-o", "noatime", device.file(), mount.toString());
          return new EmulatedDisk(mount, image, device, throttle);
        });
  }

  private static void release(Path image) throws IOException {
    LoopDevice.releaseAll(image);
    Files.deleteIfExists(image);
  }

  /** Describes its device, the kernel's readahead on it, and what slows it down, for people. */
  @Override
  public String description() throws IOException {
    return "ext4 on %s over %s, readahead %s KiB, %s"
        .formatted(device.file(), image, device.readAheadKiB(), throttle.description());
  }

  @Override
  public void readAhead(long bytes) throws IOException {
    device.setReadAheadKiB((int) (bytes >> 10));
  }

  @Override
  public DiskTraffic traffic() throws IOException {
    return device.traffic();
  }

  @Override
  public void limit(DiskSpeed speed) throws IOException {
    throttle.limit(device.numbers(), speed);
  }

  @Override
  public void lift() throws IOException {
    if (throttle.forAll()) {
      throttle.lift(device.numbers());
    }
  }

  @Override
  public List<String> inGroup(List<String> command) {
    return throttle.inGroup(command);
  }

  @Override
  public boolean slowForAll() {
    return throttle.forAll();
  }

  @Override
  public void close() throws IOException {
    throttle.lift(device.numbers());
    release(image);
  }
}
