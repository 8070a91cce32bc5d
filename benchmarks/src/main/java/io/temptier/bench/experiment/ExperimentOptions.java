// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.cli.Terminal;
import io.temptier.lab.cluster.HadoopRuntime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Mixin of the options that all experiments have. */
@Command
public final class ExperimentOptions {
  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "How often each arm is run; medians are shown (default: 3, of demotion 5; with --quick"
              + " 1).")
  private @Nullable Integer rounds;

  @Option(
      names = "--quick",
      description = "One round, and less data: shows that it works, not how fast.")
  private boolean quick;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description =
          "Where to write report.html, report.json and CSV (default: a new folder in"
              + " target/bench).")
  private @Nullable Path report;

  @Option(
      names = "--resume",
      paramLabel = "DIR",
      description = "Continue the run in this folder, by the options it was begun with.")
  private @Nullable Path resume;

  /** Whether to take less time, and be less sure. */
  public boolean quick() {
    return quick;
  }

  /**
   * How often each arm is run.
   *
   * @param usually where the user did not say
   */
  public int rounds(Terminal terminal, int usually) {
    int wanted = rounds != null ? rounds : quick ? 1 : usually;
    terminal.atLeastOne("--rounds", wanted);
    return wanted;
  }

  /** The folder of the run to continue; empty when a new one is to be made. */
  public Optional<Path> resume() {
    return Optional.ofNullable(resume).map(dir -> dir.toAbsolutePath().normalize());
  }

  /**
   * The folder of a new run.
   *
   * @param name what it begins with, where the user did not name one
   */
  public Path folder(String name) throws IOException {
    return report != null ? report.toAbsolutePath().normalize() : newFolder(name);
  }

  /** A folder of that name and of this second, where results are kept. */
  public static Path newFolder(String name) throws IOException {
    return HadoopRuntime.sourceRoot()
        .orElseGet(() -> Path.of("").toAbsolutePath())
        .resolve("target/bench")
        .resolve(name + "-" + LocalDateTime.now(ZoneId.systemDefault()).format(STAMP));
  }
}
