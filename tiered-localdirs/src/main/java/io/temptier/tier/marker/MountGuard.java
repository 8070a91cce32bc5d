// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier.marker;

import io.temptier.tier.LocalDir;
import io.temptier.tier.os.MountPin;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a local dir lies on what it was pinned to: see {@link MountPin}. Costs one look at
 * the dir while it does, and never holds where no pin is known. Safe for use by many threads.
 */
public final class MountGuard {
  private final LocalDir dir;
  private volatile @Nullable Path disk;
  private volatile long trusted;

  /** The guard of {@code dir}, which is not touched yet: it may hang. */
  public MountGuard(LocalDir dir) {
    this.dir = dir;
    MountPin pin = dir.pin();
    this.trusted = pin == null ? MountPin.UNKNOWN : pin.device();
  }

  /** Returns the path to ask for the disk of the dir. Waits for the dir when it is first asked. */
  public Path disk() {
    Path known = disk;
    if (known == null) {
      known = onDisk(dir.path());
      disk = known;
    }
    return known;
  }

  /**
   * The dir itself, but in a container, where it is a folder of the image in which the task's
   * folders and ours are mounted, our folder.
   */
  private static Path onDisk(Path dir) {
    Path folder = dir.resolve(NodeMarker.DIR);
    try {
      return MountPin.deviceOf(folder) == MountPin.deviceOf(dir) ? dir : folder;
    } catch (IOException e) {
      return dir;
    }
  }

  /** True if the dir's file system is not mounted. */
  public boolean lost() {
    return whyLost().isPresent();
  }

  /** Tells why nothing is to be put in the dir, and the remedy; empty when all is well. */
  public Optional<String> whyLost() {
    MountPin pin = dir.pin();
    if (pin == null) {
      return Optional.empty();
    }
    try {
      Path existing = disk();
      long device;
      try {
        device = MountPin.deviceOf(existing);
      } catch (NoSuchFileException e) {
        device = MountPin.deviceOf(MountPin.existing(existing));
      }
      if (device == trusted && device != MountPin.UNKNOWN) {
        return Optional.empty();
      }
      Optional<MountPin> now = MountPin.of(disk());
      if (now.isPresent() && pin.lostOn(now.get())) {
        return Optional.of(lostText(dir.path(), pin.mountPoint(), now.get().mountPoint()));
      }
      trusted = device;
    } catch (IOException e) {
      // Other trouble, which the next use of the dir meets too.
    }
    return Optional.empty();
  }

  private static String lostText(Path dir, Path pinned, Path now) {
    return "nothing is mounted at "
        + pinned
        + ", where "
        + dir
        + " lay; what is there now is a folder on "
        + now
        + " and not used. Mount the disk again: the dir is taken back by itself. If the dir is to"
        + " stay on "
        + now
        + ", delete "
        + NodeMarker.DIR
        + "/"
        + NodeMarker.LAYOUT
        + " in the other local dirs and restart the NodeManager.";
  }
}
