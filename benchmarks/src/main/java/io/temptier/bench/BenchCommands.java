// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench;

import io.temptier.bench.all.AllCommand;
import io.temptier.bench.demo.DemoCommand;
import io.temptier.bench.dfsio.DfsIoCommand;
import io.temptier.bench.gridmix.GridmixCommand;
import io.temptier.bench.s3a.S3aBenchCommand;
import io.temptier.bench.shuffle.ShuffleBenchCommand;
import io.temptier.bench.spark.SparkCommand;
import io.temptier.bench.terasort.DemotionCommand;
import io.temptier.bench.terasort.TeraSortCommand;
import io.temptier.bench.testbed.NodeTestbedCommand;
import io.temptier.bench.tez.TezCommand;
import io.temptier.bench.trace.TraceCommand;
import io.temptier.cli.CommandProvider;
import java.util.List;
import picocli.CommandLine.Command;

/** Adds {@code demo} and {@code bench} to the command line. */
public final class BenchCommands implements CommandProvider {

  @Override
  public List<Object> commands() {
    return List.of(new DemoCommand(), new BenchCommand());
  }

  /** {@code bench}: a benchmark to be added is one more class in {@code subcommands}. */
  @Command(
      name = "bench",
      description = "Measures TempTier side by side with stock Hadoop on this machine.",
      synopsisSubcommandLabel = "BENCHMARK",
      subcommands = {
        AllCommand.class,
        TeraSortCommand.class,
        DfsIoCommand.class,
        GridmixCommand.class,
        ShuffleBenchCommand.class,
        DemotionCommand.class,
        TezCommand.class,
        S3aBenchCommand.class,
        SparkCommand.class,
        NodeTestbedCommand.class,
        TraceCommand.class
      })
  private static final class BenchCommand {}
}
