// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.testbed;

import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.node.NodeSpec;
import io.temptier.lab.testbed.MemoryFolder;
import io.temptier.lab.testbed.TestbedHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Mixin that says where the lasting testbed is. */
@Command
public final class NodeFolder {
  private static final String NAME = "temptier-node-testbed";

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Where the testbed's folder, "
              + NAME
              + ", and its disks' images are (default: memory, if there is room, else beside the"
              + " build).")
  private @Nullable Path dir;

  /** Where to make it: its folder need not be there. */
  Path toMake(NodeSpec spec) throws IOException {
    Path parent =
        dir != null
            ? dir
            : MemoryFolder.ifRoomFor(
                spec.imageBytes(), spec.memoryBytes(), HadoopRuntime.workFolder());
    return TestbedHome.absolute(parent).resolve(NAME);
  }

  /** Where it is, or would be; links above it resolved. */
  Path home() throws IOException {
    for (Path parent : parents()) {
      if (Files.exists(parent.resolve(NAME))) {
        return parent.resolve(NAME);
      }
    }
    return parents().iterator().next().resolve(NAME);
  }

  /** The folders in which testbeds and runs are made. */
  Set<Path> parents() throws IOException {
    Set<Path> parents = new LinkedHashSet<>();
    if (dir != null) {
      parents.add(TestbedHome.absolute(dir));
    } else {
      parents.add(TestbedHome.absolute(MemoryFolder.SHM));
      parents.add(TestbedHome.absolute(HadoopRuntime.workFolder()));
    }
    return parents;
  }
}
