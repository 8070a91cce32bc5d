// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.cluster;

import io.temptier.lab.process.Shell;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** Jars that this build does without, as Maven resolves them for who asks. */
public final class MavenClassPath {
  private MavenClassPath() {}

  /**
   * The runtime class path of a pom. Maven is asked unless it was asked before and what it said is
   * still there; it may have to fetch the jars.
   */
  public static List<Path> of(Path pom, Path file, String... options) throws IOException {
    if (!Files.isReadable(file) || !jars(file).stream().allMatch(Files::isReadable)) {
      // Two may ask at a time.
      Path answer = Path.of(file + "." + ProcessHandle.current().pid());
      List<String> asked = List.of("-Dmdep.includeScope=runtime", "-Dmdep.outputFile=" + answer);
      Shell.run(
          Shell.line("mvn", "-q", "-B", "-f", pom, options, "dependency:build-classpath", asked));
      Files.move(answer, file, StandardCopyOption.ATOMIC_MOVE);
    }
    return jars(file);
  }

  static List<Path> jars(Path file) throws IOException {
    return Stream.of(Files.readString(file).trim().split(File.pathSeparator, -1))
        .map(Path::of)
        .toList();
  }
}
