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
