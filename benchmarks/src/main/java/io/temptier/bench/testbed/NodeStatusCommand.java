// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.testbed;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Terminal;
import io.temptier.lab.node.NodeSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code temptier bench testbed status}. */
@Command(
    name = "status",
    description = "Shows the testbed's disks.",
    exitCodeList = {"0:it is up", "1:it is not", "2:wrong use"},
    sortOptions = false)
final class NodeStatusCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();
  @Mixin private final NodeFolder folder = new NodeFolder();

  @Override
  public Integer call() throws IOException {
    Path home = folder.home();
    Optional<NodeSpec> made = NodeState.read(home);
    if (made.isEmpty()) {
      terminal.out().println("No testbed is in " + home.getParent());
      return ExitCodes.FAILED;
    }
    terminal.out().println(made.get());
    NodeState.disks(home, made.get()).lines("  ").forEach(terminal.out()::println);
    return ExitCodes.FINE;
  }
}
