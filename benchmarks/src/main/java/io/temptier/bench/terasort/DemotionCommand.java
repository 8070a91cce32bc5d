// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.terasort;

import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.jobs.JobCommand;
import io.temptier.bench.jobs.JobPlan;
import io.temptier.cli.ExitCodes;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench demotion} command. */
@Command(
    name = "demotion",
    description = {
      "Measures how much demotion slows a running job: the same sort with demotion and without, in"
          + " turn.",
      "As root the disks are emulated: two ext4 on loop devices, one of them throttled by the"
          + " kernel. Otherwise they are folders of one disk. Takes about a quarter of an hour on"
          + " two idle cores."
    },
    exitCodeList = {
      "0:all trials were made, and every one counts",
      "1:the node or the cluster could not be run, or nothing was demoted",
      "2:wrong use"
    })
public final class DemotionCommand extends JobCommand {
  private static final long ROWS = 3_000_000;
  private static final long QUICK_ROWS = 1_000_000;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Rows of 100 bytes to sort (default: 3000000; with --quick 1000000).")
  private @Nullable Long rows;

  @Override
  protected int exitCode(ExperimentResult result) {
    return result.allCount() ? ExitCodes.FINE : ExitCodes.FAILED;
  }

  @Override
  protected JobPlan plan() {
    long planRows = rows != null ? rows : options.quick() ? QUICK_ROWS : ROWS;
    terminal.atLeastOne("--rows", planRows);
    return plan(DemotionCost.experiment(planRows));
  }
}
