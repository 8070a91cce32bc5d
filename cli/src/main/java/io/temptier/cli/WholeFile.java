// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes files that somebody asked for by name, in place of what was there. */
public final class WholeFile {
  private WholeFile() {}

  /**
   * Writes a file. It appears whole or not at all; a device or a pipe, such as {@code /dev/stdout},
   * is written to.
   *
   * @throws CommandFailure when it cannot be written
   */
  public static void write(Path file, String text) {
    Path target = file.toAbsolutePath();
    try {
      publish(target, text);
    } catch (IOException e) {
      throw new CommandFailure("cannot write " + target + ": " + e, e);
    }
  }

  private static void publish(Path target, String text) throws IOException {
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      Files.writeString(target, text);
      return;
    }
    Path dir = target.getParent() == null ? target : target.getParent();
    // Not createTempFile: its 0600 would stay, where the user's umask should decide.
    Path temp = dir.resolve("." + target.getFileName() + "." + ProcessHandle.current().pid());
    try {
      Files.writeString(temp, text);
      Files.move(temp, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temp);
    }
  }
}
