// SPDX-License-Identifier: Apache-2.0
package io.temptier.shuffle;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The open file descriptors of this JVM. */
public final class OpenFiles {
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
  public static List<String> below(Path folder) throws IOException {
    return all().stream().filter(target -> target.startsWith(folder.toString())).toList();
  }
}
