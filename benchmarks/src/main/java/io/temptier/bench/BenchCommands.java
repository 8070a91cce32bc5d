// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench;

import io.temptier.bench.demo.DemoCommand;
import io.temptier.bench.experiment.AllCommand;
import io.temptier.bench.experiment.Experiments;
import io.temptier.bench.experiment.RunCommand;
import io.temptier.bench.testbed.NodeTestbedCommand;
import io.temptier.bench.trace.TraceCommand;
import io.temptier.cli.CommandProvider;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** Adds {@code demo} and {@code bench} to the command line. */
public final class BenchCommands implements CommandProvider {
  @Override
  public List<Object> commands() {
    CommandSpec bench = CommandSpec.forAnnotatedObject(new BenchCommand());
    Experiments.specs().forEach(one -> bench.addSubcommand(one.name(), one));
    return List.of(new DemoCommand(), bench);
  }

  /** {@code bench}: the files of experiments add commands. */
  @Command(
      name = "bench",
      description = "Measures TempTier side by side with stock Hadoop on this machine.",
      synopsisSubcommandLabel = "BENCHMARK",
      subcommands = {
        AllCommand.class,
        RunCommand.class,
        NodeTestbedCommand.class,
        TraceCommand.class
      })
  private static final class BenchCommand {}
}
