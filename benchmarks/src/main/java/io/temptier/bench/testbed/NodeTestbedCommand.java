// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.testbed;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.SlowDiskOptions;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Progress;
import io.temptier.cli.Table;
import io.temptier.cli.Terminal;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.cluster.PseudoCluster;
import io.temptier.lab.node.EmulatedNode;
import io.temptier.lab.node.NodeCluster;
import io.temptier.lab.node.NodeSpec;
import io.temptier.lab.node.WorkerNode;
import io.temptier.lab.testbed.EmulatedDisk;
import io.temptier.lab.testbed.MemoryFolder;
import io.temptier.lab.testbed.TestbedHome;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code temptier bench testbed}. */
@Command(
    name = "testbed",
    description = {
      "An emulated worker node to try things on: throttled HDDs, a fast disk, a bound on memory.",
      "Each disk is an ext4 on a loop device. Needs root."
    },
    synopsisSubcommandLabel = "COMMAND")
public final class NodeTestbedCommand {
  private static final String NAME = "temptier-node-testbed";
  private static final String COMMAND = "temptier bench testbed";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Command(
      name = "up",
      description = {
        "Makes the node's disks and mounts them, until `down`.",
        "With --cluster HDFS and YARN run on them too, until this command is interrupted; then all"
            + " of it goes."
      },
      exitCodeList = {"0:it is up", "1:it could not be made, and nothing is left", "2:wrong use"})
  int up(
      @Mixin Terminal terminal,
      @Mixin LastingFolder folder,
      @Mixin SlowDiskOptions slowDisk,
      @Option(
              names = "--hdds",
              paramLabel = "N",
              defaultValue = "3",
              description = "Slow disks (default: ${DEFAULT-VALUE}).")
          int hdds,
      @Option(
              names = "--tasks",
              paramLabel = "N",
              defaultValue = "" + Setting.TASKS,
              description =
                  "How many tasks the cluster's node runs at once (default: ${DEFAULT-VALUE}).")
          int tasks,
      @Option(
              names = "--memory",
              paramLabel = "SIZE",
              defaultValue = "4g",
              description =
                  "What the node's processes may use of memory, page cache included (default:"
                      + " ${DEFAULT-VALUE}).")
          String memory,
      @Option(
              names = "--hdd-size",
              paramLabel = "SIZE",
              defaultValue = "1536m",
              description = "Size of each slow disk (default: ${DEFAULT-VALUE}).")
          String hddSize,
      @Option(
              names = "--fast-size",
              paramLabel = "SIZE",
              defaultValue = "2g",
              description = "Size of the fast disk (default: ${DEFAULT-VALUE}).")
          String fastSize,
      @Option(
              names = "--cluster",
              description =
                  "Run NameNode, DataNode, ResourceManager and NodeManager on it, and stay.")
          boolean cluster)
      throws IOException, InterruptedException {
    terminal.atLeastOne("--tasks", tasks);
    NodeSpec spec;
    try {
      spec =
          new NodeSpec(
              hdds,
              slowDisk.speed(terminal),
              Sizes.parse(hddSize),
              Sizes.parse(fastSize),
              terminal.size("--memory", memory));
    } catch (IllegalArgumentException e) {
      throw terminal.wrongUse(String.valueOf(e.getMessage()));
    }
    CommandFailure.ifAny(EmulatedDisk.hindrance());
    Path parent =
        MemoryFolder.ifRoomFor(spec.imageBytes(), spec.memoryBytes(), HadoopRuntime.workFolder());
    Path path = folder.toMake(NAME, parent);
    try (TestbedHome home = TestbedHome.createAt(path)) {
      // Not closed: the disks outlive this command, or go with their folder.
      EmulatedNode node = EmulatedNode.create(spec, home.path());
      node.slowDown();
      MAPPER.writeValue(made(home.path()).toFile(), spec);
      terminal.out().println(terminal.styled("bold,green", "The node is up") + ": " + spec);
      print(terminal, home.path(), spec);
      if (cluster) {
        run(terminal, node, home.path(), tasks);
      } else {
        home.keep();
        terminal.out().println("End it:  temptier bench testbed down");
      }
      return ExitCodes.FINE;
    } catch (FileAlreadyExistsException e) {
      throw LastingFolder.isThere(path, COMMAND, e);
    } catch (IOException e) {
      throw new CommandFailure("the node could not be made: " + e.getMessage(), e);
    }
  }

  private static void run(Terminal terminal, EmulatedNode node, Path home, int tasks)
      throws IOException, InterruptedException {
    ClusterSpec.Builder builder =
        NodeCluster.on(
            node, HadoopRuntime.locate(), home.resolve("cluster"), NodeCluster.BLOCK_BYTES);
    ClusterSpec spec = builder.nodeMemoryMiB(NodeCluster.memoryMiB(tasks)).build();
    PrintWriter out = terminal.out();
    Progress progress = terminal.progress("bench testbed");
    try (PseudoCluster running = PseudoCluster.start(spec, progress::say)) {
      progress.close();
      out.println("HDFS and YARN run on it. Clients' configuration: " + spec.home() + "/conf");
      out.println("NodeManager: " + running.nodeUrl(0));
      out.println("End it with Ctrl-C, or from elsewhere: temptier bench testbed down");
      out.flush();
      new CountDownLatch(1).await();
    }
  }

  @Command(
      name = "down",
      description = {
        "Ends what runs on the testbed, and removes its disks, limits and folder.",
        "Removes what killed runs of any benchmark left, too."
      },
      exitCodeList = {"0:nothing is left", "1:something refused to go", "2:wrong use"})
  int down(@Mixin Terminal terminal, @Mixin LastingFolder folder) throws IOException {
    folder.remove(NAME, terminal.out());
    return ExitCodes.FINE;
  }

  @Command(
      name = "status",
      description = "Shows the testbed's disks.",
      exitCodeList = {"0:it is up", "1:it is not", "2:wrong use"})
  int status(@Mixin Terminal terminal, @Mixin LastingFolder folder) throws IOException {
    Path home = folder.home(NAME);
    if (!Files.exists(made(home))) {
      terminal.out().println("No testbed is in " + home.getParent());
      return ExitCodes.FAILED;
    }
    NodeSpec spec = MAPPER.readValue(made(home).toFile(), NodeSpec.class);
    terminal.out().println(spec);
    print(terminal, home, spec);
    return ExitCodes.FINE;
  }

  /** Says what a testbed was made by, once it was made to its end. */
  private static Path made(Path home) {
    return home.resolve("node.json");
  }

  /** The disks and where they are, whether they are mounted or not. */
  private static void print(Terminal terminal, Path home, NodeSpec spec) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    for (int i = -1; i < spec.hdds(); i++) {
      String name = i < 0 ? WorkerNode.fastName(0) : WorkerNode.hddName(i);
      Path mount = home.resolve(name);
      FileStore store = Files.getFileStore(Files.exists(mount) ? mount : home);
      boolean mounted = store.name().startsWith("/dev/loop");
      rows.add(
          List.of(
              name,
              i < 0 ? "not slowed down" : spec.hddSpeed().toString(),
              mounted ? store.name() : "NOT MOUNTED",
              mounted ? Sizes.format(store.getTotalSpace()) : "-",
              mounted ? Sizes.format(store.getUsableSpace()) : "-",
              mount.toString()));
    }
    Table.of("DISK", "SPEED", "DEVICE", ">SIZE", ">FREE", "FOLDER")
        .print(terminal.out(), "  ", rows);
  }
}
