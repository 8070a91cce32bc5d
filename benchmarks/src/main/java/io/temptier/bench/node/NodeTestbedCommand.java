// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.node;

import io.temptier.bench.calibrate.CalibrateCommand;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code temptier bench testbed}. */
@Command(
    name = "testbed",
    description = {
      "An emulated worker node to try things on: throttled HDDs, a fast disk, a bound on memory.",
      "Each disk is an ext4 on a loop device. Needs root."
    },
    subcommands = {
      NodeUpCommand.class,
      NodeDownCommand.class,
      NodeStatusCommand.class,
      CalibrateCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    sortOptions = false)
public final class NodeTestbedCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Called by picocli. */
  public NodeTestbedCommand() {}

  @Override
  public Integer call() {
    spec.commandLine().usage(terminal.err(), terminal.ansi());
    return ExitCodes.WRONG_USE;
  }
}
