// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.testbed;

import io.temptier.bench.node.EmulationOptions;
import io.temptier.bench.node.NodeProfile;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.cluster.PseudoCluster;
import io.temptier.lab.node.EmulatedNode;
import io.temptier.lab.node.NodeCluster;
import io.temptier.lab.node.NodeSpec;
import io.temptier.lab.testbed.EmulatedDisk;
import io.temptier.lab.testbed.TestbedHome;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code temptier bench testbed up}. */
@Command(
    name = "up",
    description = {
      "Makes the node's disks and mounts them, until `down`.",
      "With --cluster HDFS and YARN run on them too, until this command is interrupted; then all of"
          + " it goes."
    },
    exitCodeList = {"0:it is up", "1:it could not be made, and nothing is left", "2:wrong use"},
    sortOptions = false)
final class NodeUpCommand implements Callable<Integer> {
  private static final int HDDS = 3;

  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final NodeFolder folder = new NodeFolder();
  @Mixin private final EmulationOptions options = new EmulationOptions();

  @Option(
      names = "--hdds",
      paramLabel = "N",
      description = "Slow disks (default: 3, or those of the profile).")
  private @Nullable Integer hdds;

  @Option(
      names = "--hdd-size",
      paramLabel = "SIZE",
      defaultValue = "1536m",
      description = "Size of each slow disk (default: ${DEFAULT-VALUE}).")
  private String hddSize = "";

  @Option(
      names = "--fast-size",
      paramLabel = "SIZE",
      defaultValue = "2g",
      description = "Size of the fast disk (default: ${DEFAULT-VALUE}).")
  private String fastSize = "";

  @Option(
      names = "--cluster",
      description = "Run NameNode, DataNode, ResourceManager and NodeManager on it, and stay.")
  private boolean cluster;

  @Override
  public Integer call() throws IOException, InterruptedException {
    NodeSpec spec = spec();
    CommandFailure.ifAny(EmulatedDisk.hindrance());
    Path path = folder.toMake(spec);
    try (TestbedHome home = TestbedHome.createAt(path)) {
      // Not closed: the disks outlive this command, or go with their folder.
      EmulatedNode node = EmulatedNode.create(spec, home.path());
      node.slowDown();
      NodeState.write(spec, home.path());
      terminal.out().println(terminal.styled("bold,green", "The node is up") + ": " + spec);
      NodeState.disks(home.path(), spec).lines("  ").forEach(terminal.out()::println);
      if (cluster) {
        run(node, home.path(), options.profile(terminal).map(NodeProfile::tasks));
      } else {
        home.keep();
        terminal.out().println("End it:  temptier bench testbed down");
      }
      return ExitCodes.FINE;
    } catch (FileAlreadyExistsException e) {
      throw new CommandFailure(
          ("a testbed is in %s already. See it with `temptier bench testbed status`, end it"
                  + " with `temptier bench testbed down`, or give another --dir.")
              .formatted(path),
          e);
    } catch (IOException e) {
      throw new CommandFailure("the node could not be made: " + e.getMessage(), e);
    }
  }

  private NodeSpec spec() {
    try {
      int profileHdds = options.profile(terminal).map(NodeProfile::hdds).orElse(HDDS);
      return new NodeSpec(
          hdds != null ? hdds : profileHdds,
          options.speed(terminal),
          Sizes.parse(hddSize),
          Sizes.parse(fastSize),
          options.memoryBytes(terminal));
    } catch (IllegalArgumentException e) {
      throw terminal.wrongUse(String.valueOf(e.getMessage()));
    }
  }

  private void run(EmulatedNode node, Path home, Optional<Integer> tasks)
      throws IOException, InterruptedException {
    ClusterSpec.Builder builder =
        NodeCluster.on(
            node, HadoopRuntime.locate(), home.resolve("cluster"), NodeCluster.BLOCK_BYTES);
    tasks.ifPresent(count -> builder.nodeMemoryMiB(NodeCluster.memoryMiB(count)));
    ClusterSpec spec = builder.build();
    Progress progress = terminal.progress("bench testbed");
    try (PseudoCluster running = PseudoCluster.start(spec, progress::say)) {
      progress.close();
      terminal
          .out()
          .println("HDFS and YARN run on it. Clients' configuration: " + spec.home() + "/conf");
      terminal.out().println("NodeManager: " + running.nodeUrl(0));
      terminal.out().println("End it with Ctrl-C, or from elsewhere: temptier bench testbed down");
      terminal.out().flush();
      new CountDownLatch(1).await();
    }
  }
}
