/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
