// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.trace;

import io.temptier.cli.CommandFailure;
import io.temptier.cli.ExitCodes;
import io.temptier.cli.Terminal;
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
  /** Of the node that {@code bench gridmix} replays it on. */
  private static final int TASKS_AT_ONCE = 10;

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
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of everything that is drawn: the same seed gives the same trace (default: 1).")
  private long seed;

  @Override
  public Integer call() {
    terminal.atLeastOne("--tasks", tasks);
    try {
      TraceSummary summary = TraceSummary.synthetic(seed, tasks, TASKS_AT_ONCE, file);
      terminal.out().println(file + ": " + summary);
    } catch (IOException e) {
      throw new CommandFailure("cannot write " + file + ": " + e.getMessage(), e);
    }
    return ExitCodes.FINE;
  }
}
