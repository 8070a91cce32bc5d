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
package io.temptier.cli.doctor;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Knows TempTier's jars by their names. */
final class DropInJars {
  /** The jars by any of their names, or a folder named after the project. */
  private static final Pattern NAME = Pattern.compile("temptier|shuffle-tier");

  private DropInJars() {}

  /** Whether part of a class path, or of a script that sets one, names them. */
  static boolean namedIn(String text) {
    return NAME.matcher(text).find();
  }

  /**
   * Whether a folder holds one; false when it is missing.
   *
   * @throws IOException when it cannot be read
   */
  static boolean in(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.jar")) {
      for (Path jar : jars) {
        if (namedIn(String.valueOf(jar.getFileName()))) {
          return true;
        }
      }
      return false;
    }
  }
}
