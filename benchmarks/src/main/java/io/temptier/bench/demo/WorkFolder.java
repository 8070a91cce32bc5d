// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import io.temptier.bench.cluster.HadoopRuntime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the cluster's folder is made.
 *
 * @param parent an existing folder, or one to be made and left
 * @param home the folder of this run
 */
record WorkFolder(Path parent, Path home) {
  /** YARN writes paths unquoted into scripts, lists and class paths. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/._+-]+");

  /**
   * Chooses one: what the user said, else a folder beside the build, else the JVM's folder for
   * temporary files. The build's own is preferred because {@code /tmp} may be memory.
   *
   * @throws IOException when no choice has a path that YARN can work with
   */
  static WorkFolder choose(@Nullable Path work) throws IOException {
    List<Path> choices = new ArrayList<>();
    if (work != null) {
      choices.add(work);
    } else {
      HadoopRuntime.sourceRoot()
          .map(root -> root.resolve("benchmarks/target"))
          .ifPresent(choices::add);
      choices.add(Path.of(System.getProperty("java.io.tmpdir")));
    }
    for (Path choice : choices) {
      Path parent = choice.toAbsolutePath().normalize();
      if (PLAIN.matcher(parent.toString()).matches()) {
        return new WorkFolder(
            parent, parent.resolve("temptier-demo-" + ProcessHandle.current().pid()));
      }
    }
    throw new IOException(
        "YARN cannot work in "
            + choices
            + ": its paths may hold letters, digits and /._+- only. Give another folder with"
            + " --work");
  }
}
