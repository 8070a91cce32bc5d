// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.history;

import io.temptier.cli.ExitCodes;
import io.temptier.cli.Terminal;
import io.temptier.cli.status.ClusterStatus;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code temptier report}. */
@Command(
    name = "report",
    description = {
      "Writes one HTML file with charts about a node or a cluster.",
      "It tells how full the tiers were over time, what spilled down and why, what was demoted,"
          + " the applications that spilled most. It needs no network.",
      "Of this node from its local dirs, or of running nodes with --jmx, --rm or --hosts."
    },
    exitCodeList = {"0:written", "1:nothing is known of that time, or no node told", "2:wrong use"},
    sortOptions = false)
public final class ReportCommand implements Callable<Integer> {
  private static final int MOST_APPLICATIONS = 20;

  @Mixin private final Terminal terminal = new Terminal();

  @Parameters(paramLabel = "FILE", description = "The file to write, such as night.html.")
  private Path file = Paths.get("");

  @Mixin private final HistoryOptions options = new HistoryOptions();

  @Override
  public Integer call() throws InterruptedException {
    HistoryData past = options.read(terminal);
    List<ApplicationHistory> all = options.chosen(terminal, past, any -> true);
    if (all.isEmpty() && past.fill().isEmpty()) {
      throw HistoryOptions.nothing(past);
    }
    List<ApplicationHistory> top = all.subList(0, Math.min(MOST_APPLICATIONS, all.size()));
    @Nullable ClusterStatus now =
        options.local() ? null : ClusterStatus.ask(options.nodes, terminal);
    new HistoryPage(past, all, top, now).page(terminal.typed()).write(file, terminal);
    return ExitCodes.FINE;
  }
}
