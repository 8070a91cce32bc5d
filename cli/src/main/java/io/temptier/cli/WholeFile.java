// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import io.temptier.tier.os.Io;
import io.temptier.tier.os.Pid;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
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
    publish(file, text, true);
  }

  /**
   * Writes a file that takes no other's place.
   *
   * @throws CommandFailure when it is there already or cannot be written
   */
  public static void writeNew(Path file, String text) {
    publish(file, text, false);
  }

  private static void publish(Path file, String text, boolean replace) {
    Path target = file.toAbsolutePath();
    // Not createTempFile: its 0600 would stay, where the user's umask should decide.
    Path temp = target.resolveSibling("." + target.getFileName() + "." + Pid.self());
    Path folder = target.getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new CommandFailure("cannot write " + target + ": there is no folder " + folder + ".");
    }
    try {
      if (!replace && Files.exists(target)) {
        throw new FileAlreadyExistsException(target.toString());
      }
      if (Files.exists(target) && !Files.isRegularFile(target)) {
        Io.writeString(target, text);
        return;
      }
      try {
        Io.writeString(temp, text);
        if (replace) {
          Files.move(
              temp, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } else {
          // Unlike a rename, a link fails where somebody was faster.
          Files.createLink(target, temp);
        }
      } finally {
        Files.deleteIfExists(temp);
      }
    } catch (FileAlreadyExistsException e) {
      throw new CommandFailure(
          target + " is there already, and is left alone. Name another file, or move it away.", e);
    } catch (IOException e) {
      throw new CommandFailure("cannot write " + target + ": " + e, e);
    }
  }
}
