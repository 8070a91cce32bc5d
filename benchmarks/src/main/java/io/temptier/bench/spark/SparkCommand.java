// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.spark;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.jobs.Experiment;
import io.temptier.bench.jobs.JobCommand;
import io.temptier.bench.jobs.JobPlan;
import io.temptier.bench.jobs.NodeSetting;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench spark} command. */
@Command(
    name = "spark",
    description = {
      "An application of Spark on an emulated worker node, with Spark's external shuffle service:"
          + " a sort, a cache on disks that is read again, and queries, their temporary data on"
          + " HDDs, on a fast disk or on both, with TempTier and without, in turn.",
      "Needs root, or --dirs with disks of your own, and a source checkout: the tarball has no"
          + " Spark."
    })
public final class SparkCommand extends JobCommand {
  static final String FITS = "fits";
  static final String HALF = "1/2";
  private static final String E9 = "e9";
  private static final String E9_HDFS = "e9-hdfs";
  private static final int ROWS = 6_000_000;
  private static final int QUICK_ROWS = 2_400_000;

  /** Executors of one core each: more of them than cores, as they wait for disks. */
  private static final int EXECUTORS = 3;

  @Option(
      names = "--experiment",
      paramLabel = "NAME",
      defaultValue = "e9",
      description = {
        "e9: the application makes its rows itself, so that the HDDs have temporary data only;",
        "e9-hdfs: it sorts from HDFS to HDFS, which lies on the HDDs (default: ${DEFAULT-VALUE})."
      })
  private String experiment = "";

  @Option(
      names = "--rows",
      paramLabel = "N",
      description =
          "Rows of 100 bytes that are sorted, cached and queried (default: 6000000; with --quick"
              + " 2400000).")
  private @Nullable Integer rows;

  /** What this command measures: of e9-hdfs a sort alone. */
  static Experiment experiment(int rows, boolean fromHdfs) {
    NodeSetting fits = NodeSetting.of(FITS, 3, NodeSetting.FITS).withTasks(EXECUTORS);
    SparkJob work = new SparkJob(rows, fromHdfs);
    return fromHdfs
        ? new Experiment(
            "spark",
            E9_HDFS,
            "Spark from HDFS to HDFS, on the same HDDs",
            List.of(fits),
            List.of(Arm.STOCK_HDD, Arm.TEMPTIER, Arm.IDEAL),
            work)
        : new Experiment(
            "spark",
            E9,
            "Spark, where its temporary data fits the fast disk, and where half of it does",
            List.of(fits, NodeSetting.of(HALF, 3, 0.5).withTasks(EXECUTORS)),
            Arm.USUAL,
            work);
  }

  @Override
  protected JobPlan plan() {
    boolean fromHdfs = experiment.equals(E9_HDFS);
    if (!fromHdfs && !experiment.equals(E9)) {
      throw terminal.wrongUse(
          "--experiment=" + experiment + " is neither " + E9 + " nor " + E9_HDFS);
    }
    int planRows = rows != null ? rows : options.quick() ? QUICK_ROWS : ROWS;
    terminal.atLeastOne("--rows", planRows);
    return plan(experiment(planRows, fromHdfs));
  }
}
