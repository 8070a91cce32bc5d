// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.node;

import io.temptier.bench.cluster.ClusterSpec;
import io.temptier.bench.cluster.HadoopRuntime;
import io.temptier.bench.cluster.PseudoCluster;
import io.temptier.bench.testbed.EmulatedDisk;
import io.temptier.bench.testbed.LastingHome;
import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Progress;
import io.temptier.cli.Terminal;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
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
  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final NodeFolder folder = new NodeFolder();
  @Mixin private final NodeOptions options = new NodeOptions();

  @Option(
      names = "--cluster",
      description = "Run NameNode, DataNode, ResourceManager and NodeManager on it, and stay.")
  private boolean cluster;

  @Override
  public Integer call() throws IOException, InterruptedException {
    NodeSpec spec = options.spec(terminal);
    CommandFailure.ifAny(EmulatedDisk.hindrance());
    Path path = folder.toMake(spec);
    try (LastingHome home = LastingHome.create(path)) {
      // Not closed: the disks outlive this command, or go with their folder.
      EmulatedNode node = EmulatedNode.create(spec, home.path());
      node.slowDown();
      NodeState.of(spec).write(home.path());
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
          "a testbed is in "
              + path
              + " already. See it with `temptier bench testbed status`, end it with `temptier bench"
              + " testbed down`, or give another --dir.",
          e);
    } catch (IOException e) {
      throw new CommandFailure("the node could not be made: " + e.getMessage(), e);
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
