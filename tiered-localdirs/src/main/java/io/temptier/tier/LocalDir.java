// SPDX-License-Identifier: Apache-2.0
package io.temptier.tier;

import com.google.auto.value.AutoValue;
import io.temptier.tier.os.MountPin;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.jspecify.annotations.Nullable;

/** A root of temporary data, such as {@code /nvme0/yarn}. */
@AutoValue
public abstract class LocalDir {

  /** The value of {@link #capBytes} of a dir that only its file system bounds. */
  public static final long NO_CAP = Long.MAX_VALUE;

  /** The absolute, normalised root. */
  public abstract Path path();

  /** The folder of a user below a local dir, which the NodeManager makes. */
  public static Path home(String user) {
    return Paths.get("usercache", user);
  }

  /** The folder of an application below a local dir. */
  public static Path application(String user, String application) {
    return home(user).resolve("appcache").resolve(application);
  }

  public abstract Medium medium();

  /** The most bytes TempTier may keep under the root, or {@link #NO_CAP}. */
  public abstract long capBytes();

  /** Origin of the medium, for people: a tag, or what the kernel said. */
  public abstract String origin();

  /** The mount it lay on when the NodeManager set it up; null when that is not known. */
  public abstract @Nullable MountPin pin();

  public static LocalDir of(
      Path path, Medium medium, long capBytes, String origin, @Nullable MountPin pin) {
    return new AutoValue_LocalDir(path, medium, capBytes, origin, pin);
  }

  public static LocalDir of(Path path, Medium medium, long capBytes, String origin) {
    return of(path, medium, capBytes, origin, null);
  }

  public LocalDir pinned(@Nullable MountPin to) {
    return LocalDir.of(path(), medium(), capBytes(), origin(), to);
  }

  public boolean capped() {
    return capBytes() != NO_CAP;
  }

  /** Formats the dir like a configuration, such as {@code [NVME:200000000000]/nvme0/yarn}. */
  @Override
  public final String toString() {
    return "[" + medium() + (capped() ? ":" + capBytes() : "") + "]" + path();
  }
}
