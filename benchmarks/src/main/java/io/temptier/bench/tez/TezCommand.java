// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.tez;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.jobs.Experiment;
import io.temptier.bench.jobs.JobCommand;
import io.temptier.bench.jobs.JobPlan;
import io.temptier.bench.jobs.NodeSetting;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench tez} command. */
@Command(
    name = "tez",
    description = {
      "A DAG of Tez on an emulated worker node: rows are sorted and summed, their temporary data"
          + " on HDDs, on a fast disk or on both, with TempTier and without, in turn.",
      "Needs root, or --dirs with disks of your own, and a source checkout: the tarball has no"
          + " Tez."
    })
public final class TezCommand extends JobCommand {
  static final String FITS = "fits";
  static final String HALF = "1/2";
  private static final long ROWS = 5_120_000;
  private static final long QUICK_ROWS = 2_560_000;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description =
          "Rows of 100 bytes, each for both edges (default: 5120000; with --quick 2560000).")
  private @Nullable Long rows;

  static Experiment experiment(TezRows work) {
    return new Experiment(
        "tez",
        "e10",
        "Tez, where its temporary data fits the fast disk, and where half of it does",
        List.of(NodeSetting.of(FITS, 3, NodeSetting.FITS), NodeSetting.of(HALF, 3, 0.5)),
        Arm.USUAL,
        work);
  }

  @Override
  protected JobPlan plan() {
    long planRows = rows != null ? rows : options.quick() ? QUICK_ROWS : ROWS;
    terminal.atLeastOne("--rows", planRows);
    return plan(experiment(new TezRows(planRows)));
  }
}
