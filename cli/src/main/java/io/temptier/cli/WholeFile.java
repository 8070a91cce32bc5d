// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes files that somebody asked for by name. They appear whole or not at all. */
public final class WholeFile {
  private WholeFile() {}

  /** Puts the text in place, by a file beside it that is deleted afterwards. */
  @FunctionalInterface
  private interface Publish {
    void to(Path target, Path temp) throws IOException;
  }

  /**
   * Writes a file in place of what was there; a device or a pipe, such as {@code /dev/stdout}, is
   * written to.
   *
   * @throws CommandFailure when it cannot be written
   */
  public static void write(Path file, String text) {
    publish(
        file,
        (target, temp) -> {
          if (Files.exists(target) && !Files.isRegularFile(target)) {
            Files.writeString(target, text);
            return;
          }
          Files.writeString(temp, text);
          Files.move(
              temp, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        });
  }

  /**
   * Writes a file that takes no other's place.
   *
   * @throws CommandFailure when it is there already or cannot be written
   */
  public static void writeNew(Path file, String text) {
    publish(
        file,
        (target, temp) -> {
          if (Files.exists(target)) {
            throw new FileAlreadyExistsException(target.toString());
          }
          Files.writeString(temp, text, StandardOpenOption.CREATE_NEW);
          // Unlike a rename, a link fails where somebody was faster.
          Files.createLink(target, temp);
        });
  }

  private static void publish(Path file, Publish publish) {
    Path target = file.toAbsolutePath();
    Path dir = target.getParent() == null ? target : target.getParent();
    // Not createTempFile: its 0600 would stay, where the user's umask should decide.
    Path temp = dir.resolve("." + target.getFileName() + "." + ProcessHandle.current().pid());
    try {
      try {
        publish.to(target, temp);
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
