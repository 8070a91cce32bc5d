// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes files that were not there before. */
public final class NewFile {
  private NewFile() {}

  /**
   * Writes a file. It appears whole or not at all, and takes no other's place.
   *
   * @throws CommandFailure when it is there already or cannot be written
   */
  public static void write(Path file, String text) {
    Path target = file.toAbsolutePath();
    Path dir = target.getParent() == null ? target : target.getParent();
    Path temp = dir.resolve("." + target.getFileName() + "." + ProcessHandle.current().pid());
    try {
      if (Files.exists(target)) {
        throw new FileAlreadyExistsException(target.toString());
      }
      try {
        Files.writeString(temp, text, StandardOpenOption.CREATE_NEW);
        // Unlike a rename, a link fails where somebody was faster.
        Files.createLink(target, temp);
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
