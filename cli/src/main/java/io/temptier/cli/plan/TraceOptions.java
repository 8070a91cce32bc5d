// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import io.temptier.cli.Terminal;
import io.temptier.cli.report.MachineFacts;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;
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
          "A folder with the history server's .jhist files, here or as a URI such as"
              + " hdfs://nn/mr-history/done; or a trace of Rumen's TraceBuilder (JSON, also .gz).")
  private @Nullable String trace;

  @Option(
      names = "--since",
      paramLabel = "DAY",
      description = "Of the trace, jobs submitted on that day, such as 2026-03-31, or later.")
  private @Nullable LocalDate since;

  @Option(
      names = "--until",
      paramLabel = "DAY",
      description = "Of the trace, jobs submitted on that day or earlier.")
  private @Nullable LocalDate until;

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
    double unused = utilisation(terminal, utilisation);
  }

  /**
   * How many nodes the trace names; empty where there is none, or it names none.
   *
   * @throws IOException when it cannot be read
   */
  OptionalInt nodes() throws IOException {
    if (trace == null) {
      return OptionalInt.empty();
    }
    Set<String> hosts = new HashSet<>();
    try (Trace jobs = Trace.open(trace, Days.of(since, until))) {
      for (TraceJob job = jobs.next(); job != null; job = jobs.next()) {
        hosts.addAll(job.hosts());
      }
    }
    return hosts.isEmpty() ? OptionalInt.empty() : OptionalInt.of(hosts.size());
  }

  /** How busy containers are to be, above 0 to 1; says that the command line is wrong if not. */
  public static double utilisation(Terminal terminal, String text) {
    double busy = terminal.parse("--utilisation", text, Sizes::parsePercent);
    if (busy <= 0 || busy > 1) {
      throw terminal.wrongUse("--utilisation=" + text + " is not above 0% and up to 100%");
    }
    return busy;
  }

  /**
   * Opens it, from its beginning each time.
   *
   * @param containers of the cluster
   * @throws IOException when it cannot be read
   */
  Trace open(long containers) throws IOException {
    if (sort != null) {
      return new SortTrace(Sizes.parse(sort), reduces);
    }
    if (trace == null) {
      return new SyntheticTrace(seed, tasks, containers, Sizes.parsePercent(utilisation));
    }
    return Trace.open(trace, Days.of(since, until));
  }
}
