// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import io.temptier.tier.os.Io;
import io.temptier.tier.os.Pid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes files that somebody asked for by name. They appear whole or not at all. */
public final class WholeFile {
  private WholeFile() {}

  /**
   * Writes a file in place of what was there; a device or a pipe, such as {@code /dev/stdout}, is
   * written to.
   *
   * @throws CommandFailure when it cannot be written
   */
  public static void write(Path file, String text) {
    Path target = file.toAbsolutePath();
    // Not createTempFile: its 0600 would stay, where the user's umask should decide.
    Path temp = target.resolveSibling("." + target.getFileName() + "." + Pid.self());
    Path folder = target.getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new CommandFailure("cannot write " + target + ": there is no folder " + folder + ".");
    }
    try {
      if (Files.exists(target) && !Files.isRegularFile(target)) {
        Io.writeString(target, text);
        return;
      }
      try {
        Io.writeString(temp, text);
        Files.move(
            temp, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(temp);
      }
    } catch (IOException e) {
      throw new CommandFailure("cannot write " + target + ": " + e, e);
    }
  }
}
