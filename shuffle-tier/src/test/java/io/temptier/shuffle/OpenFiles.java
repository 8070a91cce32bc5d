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
package io.temptier.shuffle;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The open file descriptors of this JVM. */
final class OpenFiles {
  private OpenFiles() {}

  /** What each descriptor is of: a path, or a text such as "socket:[123]". */
  static List<String> all() throws IOException {
    List<String> targets = new ArrayList<>();
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors) {
        try {
          targets.add(Files.readSymbolicLink(descriptor).toString());
        } catch (IOException e) {
          // Closed meanwhile, or the one that lists them.
        }
      }
    }
    return targets;
  }

  /** Open files below a folder. */
  static List<String> below(Path folder) throws IOException {
    return all().stream().filter(target -> target.startsWith(folder.toString())).toList();
  }
}
