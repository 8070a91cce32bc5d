// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.terasort;

import io.temptier.bench.jobs.Experiment;
import io.temptier.bench.jobs.JobCommand;
import io.temptier.bench.jobs.JobPlan;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench terasort} command. */
@Command(
    name = "terasort",
    description = {
      "Sorts the same data on an emulated worker node, its temporary data on HDDs, on a fast disk"
          + " or on both, with TempTier and without, in turn.",
      "HDDs are ext4 on loop devices, throttled by the kernel, with HDFS on them; needs root, or"
          + " --dirs with disks of your own. The first experiment takes about 35 minutes on two"
          + " idle cores."
    })
public final class TeraSortCommand extends JobCommand {
  @Option(
      names = "--experiment",
      paramLabel = "NAME",
      defaultValue = "e1",
      description = {
        "e1: the temporary data fits the fast disk; e2: the fast disk is a half and a quarter of"
            + " it;",
        "e3: with 4, 2 and 1 HDDs; e4: with 1.67, 3.33 and 14 tasks at once per HDD;",
        "e7: small sorts beside a giant one; e8: the fast disk is almost full of others' files",
        "(default: ${DEFAULT-VALUE})."
      })
  private TeraSortExperiment experiment = TeraSortExperiment.E1;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Rows of 100 bytes to sort (default: 7680000; with --quick 3840000).")
  private @Nullable Long rows;

  @Option(
      names = "--block",
      paramLabel = "SIZE",
      defaultValue = "128m",
      description = "HDFS's block, which is a map's input (default: ${DEFAULT-VALUE}).")
  private String block = "";

  @Option(
      names = "--reduces",
      paramLabel = "N",
      defaultValue = "" + TeraSort.REDUCES_OF_A_NODE,
      description = "At most so many reduces (default: ${DEFAULT-VALUE}, for one small node).")
  private int reduces;

  /**
   * All that this command can measure.
   *
   * @param quick on fewer nodes, with fewer arms and less data where one HDD is all there is
   */
  public static List<Experiment> experiments(TeraSort sort, boolean quick) {
    return Stream.of(TeraSortExperiment.values())
        .map(one -> quick ? one.quick(sort) : one.experiment(sort))
        .toList();
  }

  @Override
  protected JobPlan plan() {
    long planRows = rows != null ? rows : TeraSort.usualRows(options.quick());
    terminal.atLeastOne("--rows", planRows);
    terminal.atLeastOne("--reduces", reduces);
    return plan(
        experiment.experiment(new TeraSort(planRows, terminal.size("--block", block), reduces)));
  }
}
