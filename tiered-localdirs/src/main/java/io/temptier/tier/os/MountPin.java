// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.os;

import com.google.auto.value.AutoValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Mount point of the file system that a local dir lay on when the NodeManager set it up. When it is
 * not mounted there any more, the dir's path leads to the folder below the mount point, perhaps on
 * the root disk, and no file may go there. The mount point identifies the disk: numbers of devices
 * change when a disk is lost and found, and a disk that was replaced or formatted is mounted at the
 * same place.
 */
@AutoValue
public abstract class MountPin {

  /** Stands for a device that is not known, or of an earlier boot. */
  public static final long UNKNOWN = -1;

  /** Free of symbolic links. */
  public abstract Path mountPoint();

  /** {@code st_dev} at that time, or {@link #UNKNOWN}: if it changes, mounts are read. */
  public abstract long device();

  public static MountPin of(Path mountPoint, long device) {
    return new AutoValue_MountPin(mountPoint, device);
  }

  /**
   * Pins the file system that an absolute {@code dir} lies on now or, if it is missing, would be
   * made on. Empty where the kernel does not tell.
   */
  public static Optional<MountPin> of(Path dir) {
    try {
      Path existing = existing(dir);
      long device = deviceOf(existing);
      return MountTable.read(MountTable.SELF)
          .of(existing.toRealPath())
          .map(mount -> MountPin.of(mount.mountPoint(), device));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The dir itself, or the nearest folder above it that exists. */
  public static Path existing(Path dir) {
    Path existing = dir;
    while (existing.getParent() != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    return existing;
  }

  public static long deviceOf(Path existing) throws IOException {
    return (Long) Files.getAttribute(existing, "unix:dev");
  }

  /** True if the file system of this pin is not mounted, when the dir now lies on {@code now}. */
  public boolean lostOn(MountPin now) {
    // A mount further down is none lost: a container sees its dirs as mounts of their own.
    return mountPoint().startsWith(now.mountPoint()) && !mountPoint().equals(now.mountPoint());
  }

  /** Returns this pin for after a reboot or another process, without the device. */
  public MountPin withoutDevice() {
    return MountPin.of(mountPoint(), UNKNOWN);
  }
}
