// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.spark;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.jobs.Experiment;
import io.temptier.bench.jobs.JobCommand;
import io.temptier.bench.jobs.JobPlan;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.report.Goal;
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
  private static final String E9 = "e9";
  private static final String E9_HDFS = "e9-hdfs";
  private static final String FITS = "fits";
  private static final String HALF = "1/2";
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

  /** What this command measures, unless it is asked for the other. */
  static Experiment experiment(SparkRows work) {
    return new Experiment(
        E9,
        "Spark, where its temporary data fits the fast disk, and where half of it does",
        List.of(
            NodeSetting.of(FITS, 3, NodeSetting.FITS).withTasks(EXECUTORS),
            NodeSetting.of(HALF, 3, 0.5).withTasks(EXECUTORS)),
        List.of(Arm.STOCK_HDD, Arm.STOCK_MIXED, Arm.STOCK_NVME_ONLY, Arm.TEMPTIER, Arm.IDEAL),
        work);
  }

  /** The same beside HDFS, of a sort alone. */
  static Experiment besideHdfs(SparkTeraSort work) {
    return new Experiment(
        E9_HDFS,
        "Spark from HDFS to HDFS, on the same HDDs",
        List.of(NodeSetting.of(FITS, 3, NodeSetting.FITS).withTasks(EXECUTORS)),
        List.of(Arm.STOCK_HDD, Arm.TEMPTIER, Arm.IDEAL),
        work);
  }

  @Override
  protected JobPlan plan() {
    boolean hdfs = experiment.equals(E9_HDFS);
    if (!hdfs && !experiment.equals(E9)) {
      throw terminal.wrongUse(
          "--experiment=" + experiment + " is neither " + E9 + " nor " + E9_HDFS);
    }
    int planRows = rows != null ? rows : options.quick() ? QUICK_ROWS : ROWS;
    terminal.atLeastOne("--rows", planRows);
    return plan(
        hdfs ? besideHdfs(new SparkTeraSort(planRows)) : experiment(new SparkRows(planRows)));
  }

  static List<Goal> goals(ExperimentResult result) {
    return List.of(
        result.atMost("e9-vs-ideal", "Spark, data fits", FITS, Arm.IDEAL, 1.02),
        result.atMost("e9-vs-hdd", "Spark, data fits", FITS, Arm.STOCK_HDD, 0.42),
        result.atMost("e9-vs-mixed", "Spark, data fits", FITS, Arm.STOCK_MIXED, 0.60),
        result.atMost(
            "e9-half-vs-mixed", "Spark, fast disk half of the data", HALF, Arm.STOCK_MIXED, 0.72),
        result.nothingFails("e9-failed-tasks", "Spark: no failed task, all output right"));
  }

  static List<Goal> goalsOfHdfs(ExperimentResult result) {
    return List.of(
        result.atMost("e9-hdfs-vs-ideal", "Spark beside HDFS, data fits", FITS, Arm.IDEAL, 1.03),
        result.nothingFails(
            "e9-hdfs-failed-tasks", "Spark beside HDFS: no failed task, all output right"));
  }
}
