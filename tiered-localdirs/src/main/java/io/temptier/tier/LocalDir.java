// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import io.temptier.tier.os.MountPin;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One root of temporary data, such as {@code /nvme0/yarn}.
 *
 * @param path the absolute, normalised root
 * @param medium what it lies on
 * @param capBytes the most bytes TempTier may keep under the root, or {@link #NO_CAP}
 * @param origin how the medium was found, for people: a tag, or what the kernel said
 * @param pin the mount it lay on when the NodeManager set it up; null when that is not known
 */
public record LocalDir(
    Path path, Medium medium, long capBytes, String origin, @Nullable MountPin pin) {
  /** The value of {@link #capBytes} of a dir that only its file system bounds. */
  public static final long NO_CAP = Long.MAX_VALUE;

  /** A dir that is not pinned to a mount. */
  public LocalDir(Path path, Medium medium, long capBytes, String origin) {
    this(path, medium, capBytes, origin, null);
  }

  /** The same dir, pinned. */
  public LocalDir pinned(@Nullable MountPin to) {
    return new LocalDir(path, medium, capBytes, origin, to);
  }

  /** Whether a cap was configured. */
  public boolean capped() {
    return capBytes != NO_CAP;
  }

  /**
   * That of the path, which tells dirs apart. A record's own is linked at its first use, which
   * costs every task's JVM milliseconds.
   */
  @Override
  public int hashCode() {
    return path.hashCode();
  }

  /**
   * The tag syntax this dir can be written in, for example {@code [NVME:200000000000]/nvme0/yarn}.
   */
  @Override
  public String toString() {
    return "[" + medium + (capped() ? ":" + capBytes : "") + "]" + path;
  }
}
