// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.cli.Terminal;
import io.temptier.cli.TimeRange;
import io.temptier.cli.report.MachineFacts;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Mixin of the options that say which jobs are simulated. */
@Command
public final class TraceOptions {
  @Option(
      names = "--trace",
      paramLabel = "PATH",
      description =
          "A folder with the history server's .jhist files or Spark's event logs, here or as a URI"
              + " such as hdfs://nn/mr-history/done; or a trace of Rumen's TraceBuilder (JSON, also"
              + " .gz).")
  private @Nullable String trace;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description =
          "Of the trace, jobs submitted then or later: how long ago, such as 30d, or 2026-03-31,"
              + " 2026-03-31T22:00.")
  private @Nullable String since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Of the trace, jobs submitted before that, or on that day.")
  private @Nullable String until;

  @Option(
      names = "--tasks",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Tasks of the synthetic trace (default: ${DEFAULT-VALUE}).")
  private long tasks;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Of everything that is drawn: the same seed gives the same result (default: 1).")
  private long seed;

  /** How busy the synthetic trace keeps containers on average. */
  private static final double UTILISATION = 0.7;

  private TimeRange time = TimeRange.ALL;

  long seed() {
    return seed;
  }

  /** What is simulated, for people. */
  String name() {
    if (trace != null) {
      return trace
          + (since == null ? "" : ", since " + since)
          + (until == null ? "" : ", until " + until);
    }
    return MachineFacts.SYNTHETIC + ", seed " + seed;
  }

  /** Says that the command line is wrong if it is. */
  void check(Terminal terminal) {
    terminal.atLeastOne("--tasks", tasks);
    if (trace == null && (since != null || until != null)) {
      throw terminal.wrongUse("--since and --until choose from a --trace, and there is none");
    }
    time = TimeRange.of(terminal, since, until);
  }

  boolean given() {
    return trace != null;
  }

  /** Opens it, from its beginning each time; a synthetic one keeps so many containers busy. */
  Trace open(long containers) throws IOException {
    if (trace == null) {
      return new SyntheticTrace(seed, tasks, containers, UTILISATION);
    }
    return Trace.open(trace, time);
  }
}
