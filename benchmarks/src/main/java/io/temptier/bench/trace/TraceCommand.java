// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.trace;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Terminal;
import io.temptier.cli.plan.SyntheticTrace;
import io.temptier.cli.plan.SyntheticTrace.Shape;
import io.temptier.cli.plan.TraceOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code bench trace} command. */
@Command(
    name = "trace",
    description = {
      "Writes a synthetic trace as Rumen's TraceBuilder would: for `bench gridmix`, `plan`,"
          + " Hadoop's own Gridmix and Rumen's tools.",
      "Most jobs are small and most bytes are of a few large ones, as in published traces. The"
          + " defaults are the trace that `bench gridmix` makes up for itself."
    },
    exitCodeList = {"0:the trace is written", "1:it could not be", "2:wrong use"},
    sortOptions = false)
public final class TraceCommand implements Callable<Integer> {
  @Mixin private final Terminal terminal = new Terminal();

  @Parameters(paramLabel = "FILE", description = "Where to: a JSON file, gzipped with .gz.")
  private Path file = Path.of("");

  @Option(
      names = "--tasks",
      paramLabel = "N",
      defaultValue = "48",
      description = "Tasks of all jobs, at least (default: ${DEFAULT-VALUE}).")
  private long tasks;

  @Option(
      names = "--most-maps",
      paramLabel = "N",
      defaultValue = "8",
      description = "Maps of the largest job there can be (default: ${DEFAULT-VALUE}).")
  private int mostMaps;

  @Option(
      names = "--maps-of-a-reduce",
      paramLabel = "N",
      defaultValue = "2",
      description = "How many maps a job has for each reduce (default: ${DEFAULT-VALUE}).")
  private int mapsOfAReduce;

  @Option(
      names = "--split",
      paramLabel = "SIZE",
      defaultValue = "128m",
      description = "A map's input (default: ${DEFAULT-VALUE}).")
  private String split = "";

  @Option(
      names = "--containers",
      paramLabel = "N",
      defaultValue = "10",
      description =
          "Tasks that the cluster runs at a time, by which jobs are spread over time (default:"
              + " ${DEFAULT-VALUE}).")
  private long containers;

  @Option(
      names = "--utilisation",
      paramLabel = "PERCENT",
      defaultValue = "70%",
      description =
          "How busy the trace would keep them on average, if tasks took as long as it says"
              + " (default: ${DEFAULT-VALUE}).")
  private String utilisation = "";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of everything that is drawn: the same seed gives the same trace (default: 1).")
  private long seed;

  @Override
  public Integer call() {
    terminal.atLeastOne("--tasks", tasks);
    terminal.atLeastOne("--most-maps", mostMaps);
    terminal.atLeastOne("--maps-of-a-reduce", mapsOfAReduce);
    terminal.atLeastOne("--containers", containers);
    double busy = TraceOptions.utilisation(terminal, utilisation);
    long splitBytes = terminal.size("--split", split);
    Shape shape = new Shape(mostMaps, mapsOfAReduce, splitBytes);
    try {
      TraceSummary summary =
          TraceSummary.writing(new SyntheticTrace(seed, shape, tasks, containers, busy), file);
      terminal.out().println(file + ": " + summary);
    } catch (IOException e) {
      throw new CommandFailure("cannot write " + file + ": " + e.getMessage(), e);
    }
    return ExitCodes.FINE;
  }
}
