// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench;

import io.temptier.bench.all.AllCommand;
import io.temptier.bench.dfsio.DfsIoCommand;
import io.temptier.bench.gridmix.GridmixCommand;
import io.temptier.bench.node.NodeTestbedCommand;
import io.temptier.bench.s3a.S3aBenchCommand;
import io.temptier.bench.shuffle.ShuffleBenchCommand;
import io.temptier.bench.terasort.DemotionCommand;
import io.temptier.bench.terasort.TeraSortCommand;
import io.temptier.bench.trace.TraceCommand;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
      S3aBenchCommand.class,
      NodeTestbedCommand.class,
      TraceCommand.class
    })
final class BenchCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  /** Called by {@link BenchCommands}. */
  BenchCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        Objects.requireNonNull(spec, "not run by picocli").commandLine(),
        "bench needs the name of a benchmark, such as shuffle");
  }
}
