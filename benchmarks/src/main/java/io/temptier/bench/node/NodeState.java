// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.node;

import io.temptier.bench.testbed.DiskSpeed;
import io.temptier.cli.Table;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * What a lasting testbed is, as its folder says.
 *
 * @param spec what it was made by
 */
record NodeState(NodeSpec spec) {
  private static final String FILE = "node.properties";

  static NodeState of(NodeSpec spec) {
    return new NodeState(spec);
  }

  /** Writes it into the testbed's folder. */
  void write(Path home) throws IOException {
    Properties properties = new Properties();
    properties.setProperty("hdds", Integer.toString(spec.hdds()));
    properties.setProperty("mbPerSecond", Integer.toString(spec.hddSpeed().mbPerSecond()));
    properties.setProperty("iops", Integer.toString(spec.hddSpeed().iops()));
    properties.setProperty("hddBytes", Long.toString(spec.hddBytes()));
    properties.setProperty("fastBytes", Long.toString(spec.fastBytes()));
    properties.setProperty("memoryBytes", Long.toString(spec.memoryBytes()));
    try (OutputStream out = Files.newOutputStream(home.resolve(FILE))) {
      properties.store(out, null);
    }
  }

  /** Reads it; empty when there is none, or it was not made to its end. */
  static Optional<NodeState> read(Path home) throws IOException {
    Path file = home.resolve(FILE);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    }
    return Optional.of(
        new NodeState(
            new NodeSpec(
                (int) number(properties, "hdds"),
                new DiskSpeed(
                    (int) number(properties, "mbPerSecond"), (int) number(properties, "iops")),
                number(properties, "hddBytes"),
                number(properties, "fastBytes"),
                number(properties, "memoryBytes"))));
  }

  private static long number(Properties properties, String key) throws IOException {
    try {
      return Long.parseLong(properties.getProperty(key, ""));
    } catch (NumberFormatException e) {
      throw new IOException(FILE + " has no number for " + key, e);
    }
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
