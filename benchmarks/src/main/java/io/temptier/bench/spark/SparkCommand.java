// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.spark;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.jobs.Experiment;
import io.temptier.bench.jobs.JobCommand;
import io.temptier.bench.jobs.JobPlan;
import io.temptier.bench.jobs.JobWorkload;
import io.temptier.bench.jobs.Jobs;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.report.Goal;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopCluster;
import io.temptier.lab.cluster.PseudoCluster;
import io.temptier.lab.cluster.SparkResult;
import io.temptier.lab.cluster.SparkRuntime;
import io.temptier.lab.cluster.SparkSite;
import io.temptier.lab.node.NodeCluster;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private static final String FITS = "fits";
  private static final String HALF = "1/2";
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

  /**
   * An application of {@link io.temptier.lab.spark.SparkWork}. It sorts rows, caches some on disks
   * and reads them again, and queries tables, all of them made by itself, so that nothing of it
   * lies in HDFS but its report; or it sorts TeraGen's rows from HDFS to HDFS.
   *
   * @param rows of 100 bytes that are sorted
   */
  record SparkJob(int rows, boolean fromHdfs) implements JobWorkload {
    private static final int ROW_BYTES = 100;
    private static final List<String> STEPS = List.of("sort", "cache", "sql");
    private static final String EXPECTED = "spark-expected";
    private static final String IN = "in";
    private static final int MAPS = 6;
    private static final int REDUCES = 4;

    /**
     * Beside what Spark needs of memory apart from its heap, as much as a task of MapReduce has.
     */
    private static final int EXECUTOR_MIB = 768;

    /**
     * Shuffles of all steps, which stay until the end, the cache, and what is spilled meanwhile.
     */
    private static final double TEMP_FACTOR = 2.3;

    private static final long REPORT_BYTES = 64L << 20;

    @Override
    public String title(NodeSetting setting) {
      String bytes = Sizes.format((long) rows * ROW_BYTES);
      return "An application of Spark on %s executors that sorts %s"
              .formatted(setting.tasks(), bytes)
          + (fromHdfs
              ? " from HDFS to HDFS"
              : ", caches as much on disks and reads it again, and queries as many rows");
    }

    @Override
    public Volume volume() {
      long bytes = (long) rows * ROW_BYTES;
      return fromHdfs
          ? Volume.ofSort(bytes)
          : new Volume(0, REPORT_BYTES, (long) (bytes * TEMP_FACTOR));
    }

    @Override
    public long blockBytes(NodeSetting setting) {
      return fromHdfs ? NodeCluster.BLOCK_BYTES : JobWorkload.super.blockBytes(setting);
    }

    /** Seconds of each step. */
    @Override
    public List<Figure> figures() {
      return fromHdfs
          ? List.of()
          : STEPS.stream().map(step -> new Figure(step + "Seconds", step + ", s")).toList();
    }

    @Override
    public void configure(ClusterSpec.Builder spec, NodeSetting setting) {
      try {
        SparkRuntime.locate().configure(spec);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /**
     * Rows to sort; or what stock Spark gives, for what comes out of the trials to be held against.
     */
    @Override
    public void prepare(NodeSetting setting, Jobs jobs) throws IOException, InterruptedException {
      if (fromHdfs) {
        jobs.makeRows(rows, MAPS, IN);
        return;
      }
      SparkResult stock = submit(jobs, false, setting, jobs.path(EXPECTED), STEPS);
      if (!stock.succeeded()) {
        throw new IOException(
            "Spark ended with " + stock.exitCode() + ":\n" + String.join("\n", stock.log()));
      }
    }

    @Override
    public TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
      List<String> steps =
          fromHdfs
              ? List.of("terasort:" + trial.jobs().path(IN) + ":" + trial.output() + "-sorted")
              : STEPS;
      boolean tiered = trial.id().arm().tiered();
      SparkResult result = submit(trial.jobs(), tiered, trial.setting(), trial.output(), steps);
      Map<String, Double> figures = new HashMap<>();
      for (SparkResult.Step step : result.steps()) {
        figures.put(step.name().split(":", -1)[0] + "Seconds", step.millis() / 1e3);
      }
      return new TrialOutcome(
          result.succeeded(),
          result.succeeded() ? TrialOutcome.FINE : "EXIT CODE " + result.exitCode(),
          result.seconds(),
          (int) result.tasks().failed(),
          result.tasks().cpuMillis() / 1e3,
          Map.of(),
          figures);
    }

    private SparkResult submit(
        Jobs jobs, boolean tiered, NodeSetting setting, String report, List<String> steps)
        throws IOException, InterruptedException {
      SparkSite spark = new SparkSite((PseudoCluster) jobs.cluster(), SparkRuntime.locate());
      Map<String, String> conf = tiered ? spark.tiered() : new HashMap<>();
      conf.put("spark.executor.instances", Integer.toString(setting.tasks()));
      conf.put("spark.executor.memory", EXECUTOR_MIB + "m");
      int made = fromHdfs ? 0 : rows / MAPS;
      List<String> work = new ArrayList<>(List.of("" + MAPS, "" + made, "" + REDUCES));
      work.addAll(steps);
      return spark.run(report, work, conf, jobs.deadlineSeconds(), line -> {});
    }

    @Override
    public boolean validate(TrialRun trial) throws IOException, InterruptedException {
      if (fromHdfs) {
        return trial.jobs().sorted(IN, trial.output() + "-sorted");
      }
      HadoopCluster cluster = trial.cluster();
      List<String> expected = SparkResult.digests(cluster.lines(trial.jobs().path(EXPECTED)));
      return expected.size() == STEPS.size()
          && expected.equals(SparkResult.digests(cluster.lines(trial.output())));
    }

    @Override
    public List<Goal> goals(ExperimentResult result) {
      if (fromHdfs) {
        return List.of(
            result.atMost(
                "e9-hdfs-vs-ideal", "Spark beside HDFS, data fits", FITS, Arm.IDEAL, 1.03),
            result.nothingFails(
                "e9-hdfs-failed-tasks", "Spark beside HDFS: no failed task, all output right"));
      }
      return List.of(
          result.atMost("e9-vs-ideal", "Spark, data fits", FITS, Arm.IDEAL, 1.02),
          result.atMost("e9-vs-hdd", "Spark, data fits", FITS, Arm.STOCK_HDD, 0.42),
          result.atMost("e9-vs-mixed", "Spark, data fits", FITS, Arm.STOCK_MIXED, 0.60),
          result.atMost(
              "e9-half-vs-mixed", "Spark, fast disk half of the data", HALF, Arm.STOCK_MIXED, 0.72),
          result.nothingFails("e9-failed-tasks", "Spark: no failed task, all output right"));
    }
  }
}
