// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.cli.Terminal;
import io.temptier.cli.TimeRange;
import io.temptier.cli.report.MachineFacts;
import io.temptier.tier.Sizes;
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
      names = "--sort",
      paramLabel = "SIZE",
      description = "One sort of so many bytes in place of a trace.")
  private @Nullable String sort;

  @Option(
      names = "--reduces",
      paramLabel = "N",
      defaultValue = "4",
      description = "Reduces of the sort (default: ${DEFAULT-VALUE}).")
  private int reduces;

  @Option(
      names = "--tasks",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Tasks of the synthetic trace (default: ${DEFAULT-VALUE}).")
  private long tasks;

  @Option(
      names = "--utilisation",
      paramLabel = "PERCENT",
      defaultValue = "70%",
      description =
          "How busy the synthetic trace keeps the containers on average (default:"
              + " ${DEFAULT-VALUE}).")
  private String utilisation = "";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Of everything that is drawn: the same seed gives the same result (default: 1).")
  private long seed;

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
    return MachineFacts.SYNTHETIC + ", " + (sort != null ? "a sort of " + sort : "seed " + seed);
  }

  /** Says that the command line is wrong if it is. */
  void check(Terminal terminal) {
    terminal.atLeastOne("--tasks", tasks);
    terminal.atLeastOne("--reduces", reduces);
    if (sort != null) {
      long unused = terminal.size("--sort", sort);
      if (trace != null) {
        throw terminal.wrongUse("--sort and --trace exclude each other");
      }
    }
    if (trace == null && (since != null || until != null)) {
      throw terminal.wrongUse("--since and --until choose from a --trace, and there is none");
    }
    time = TimeRange.of(terminal, since, until);
    double unused = utilisation(terminal, utilisation);
  }

  boolean oneSort() {
    return sort != null;
  }

  /** How many maps the sort has; very many where there is none. */
  long sortMaps() {
    return sort == null
        ? Integer.MAX_VALUE
        : SyntheticTrace.splits(Sizes.parse(sort), SyntheticTrace.Shape.CLUSTER);
  }

  boolean given() {
    return trace != null;
  }

  /** How busy containers are to be, above 0 to 1; says that the command line is wrong if not. */
  public static double utilisation(Terminal terminal, String text) {
    double busy = terminal.parse("--utilisation", text, Sizes::parsePercent);
    if (busy <= 0 || busy > 1) {
      throw terminal.wrongUse("--utilisation=" + text + " is not above 0% and up to 100%");
    }
    return busy;
  }

  /** Opens it, from its beginning each time; a synthetic one keeps so many containers busy. */
  Trace open(long containers) throws IOException {
    if (sort != null) {
      return SyntheticTrace.sort(Sizes.parse(sort), reduces);
    }
    if (trace == null) {
      return new SyntheticTrace(seed, tasks, containers, Sizes.parsePercent(utilisation));
    }
    return Trace.open(trace, time);
  }
}
