// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench;

import io.temptier.bench.demo.DemoCommand;
import io.temptier.bench.experiment.RunCommand;
import io.temptier.cli.CommandProvider;
import java.util.List;
import picocli.CommandLine.Command;

/** Adds {@code demo} and {@code bench} to the command line. */
public final class BenchCommands implements CommandProvider {
  @Override
  public List<Object> commands() {
    return List.of(new DemoCommand(), new BenchCommand());
  }

  @Command(
      name = "bench",
      description = "Measures TempTier side by side with stock Hadoop on this machine.",
      synopsisSubcommandLabel = "COMMAND",
      subcommands = {RunCommand.class, RunCommand.Listing.class})
  private static final class BenchCommand {}
}
