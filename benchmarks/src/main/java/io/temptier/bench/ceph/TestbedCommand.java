// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.ceph;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code temptier s3a testbed}. */
@Command(
    name = "testbed",
    description = {
      "A real Ceph with object gateways on this machine's loopback address, to try S3A on.",
      "Runs the programs of Debian's packages; installs nothing."
    },
    subcommands = {UpCommand.class, DownCommand.class, CephStatusCommand.class},
    synopsisSubcommandLabel = "COMMAND",
    sortOptions = false)
final class TestbedCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    spec.commandLine().usage(terminal.err(), terminal.ansi());
    return ExitCodes.WRONG_USE;
  }
}
