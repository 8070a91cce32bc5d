// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.testbed;

import io.temptier.cli.CommandFailure;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.testbed.MemoryFolder;
import io.temptier.lab.testbed.TestbedHome;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Mixin that says where a testbed that stays until its {@code down} has its folder. */
public final class LastingFolder {
  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Where the testbed's folder is (default: for disks' images memory, if there is room;"
              + " else benchmarks/target in a source checkout, or the folder for temporary files).")
  private @Nullable Path dir;

  /** The folder of that name to make, links above it resolved, where room is not asked for. */
  Path toMake(String name, Path otherwise) throws IOException {
    return TestbedHome.absolute(dir != null ? dir : otherwise).resolve(name);
  }

  /** The folder of that name, whether it is there or not. */
  Path home(String name) throws IOException {
    List<Path> parents = parents();
    for (Path parent : parents) {
      if (Files.exists(parent.resolve(name))) {
        return parent.resolve(name);
      }
    }
    return parents.get(parents.size() - 1).resolve(name);
  }

  private List<Path> parents() throws IOException {
    return dir != null
        ? List.of(TestbedHome.absolute(dir))
        : List.of(
            TestbedHome.absolute(MemoryFolder.SHM),
            TestbedHome.absolute(HadoopRuntime.workFolder()));
  }

  /** Removes the testbed of that name, if it is there, and what killed runs of any kind left. */
  void remove(String name, PrintWriter out) throws IOException {
    Path home = home(name);
    boolean there = Files.exists(home);
    TestbedHome.remove(home);
    for (Path parent : parents()) {
      if (Files.isDirectory(parent)) {
        TestbedHome.sweep(parent);
      }
    }
    out.println(there ? "Removed " + home : "No testbed is in " + home.getParent());
  }

  static CommandFailure isThere(Path home, String command, @Nullable IOException cause) {
    return new CommandFailure(
        "a testbed is in %1$s already. See it with `%2$s status`, end it with `%2$s down`, or give"
                .formatted(home, command)
            + " another --dir.",
        cause);
  }
}
