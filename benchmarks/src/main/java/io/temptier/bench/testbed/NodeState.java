// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.testbed;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.cli.Table;
import io.temptier.lab.node.NodeSpec;
import io.temptier.lab.node.WorkerNode;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a lasting testbed is, as its folder says. */
final class NodeState {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String FILE = "node.json";

  private NodeState() {}

  /** Writes what it was made by into the testbed's folder. */
  static void write(NodeSpec spec, Path home) throws IOException {
    MAPPER.writeValue(home.resolve(FILE).toFile(), spec);
  }

  /** Reads it; empty when there is none, or it was not made to its end. */
  static Optional<NodeSpec> read(Path home) throws IOException {
    Path file = home.resolve(FILE);
    return Files.exists(file)
        ? Optional.of(MAPPER.readValue(file.toFile(), NodeSpec.class))
        : Optional.empty();
  }

  /** The disks and where they are, whether they are mounted or not. */
  static Table disks(Path home, NodeSpec spec) throws IOException {
    List<String> names = new ArrayList<>(List.of(WorkerNode.fastName(0)));
    for (int i = 0; i < spec.hdds(); i++) {
      names.add(WorkerNode.hddName(i));
    }
    Table table = new Table("DISK", "SPEED", "DEVICE", ">SIZE", ">FREE", "FOLDER");
    for (String name : names) {
      Path mount = home.resolve(name);
      FileStore store = Files.getFileStore(Files.exists(mount) ? mount : home);
      boolean mounted = store.name().startsWith("/dev/loop");
      table.row(
          name,
          name.equals(WorkerNode.fastName(0)) ? "not slowed down" : spec.hddSpeed().toString(),
          mounted ? store.name() : "NOT MOUNTED",
          mounted ? Sizes.format(store.getTotalSpace()) : "-",
          mounted ? Sizes.format(store.getUsableSpace()) : "-",
          mount.toString());
    }
    return table;
  }
}
