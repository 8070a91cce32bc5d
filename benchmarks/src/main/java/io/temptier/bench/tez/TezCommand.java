// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.tez;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.jobs.Experiment;
import io.temptier.bench.jobs.JobCommand;
import io.temptier.bench.jobs.JobPlan;
import io.temptier.bench.jobs.JobWorkload;
import io.temptier.bench.jobs.Jobs;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.report.Goal;
import io.temptier.lab.cluster.PseudoCluster;
import io.temptier.lab.cluster.TezSite;
import io.temptier.lab.tez.Rows;
import io.temptier.lab.tez.RowsClient;
import io.temptier.lab.tez.RowsTasks;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private static final String FITS = "fits";
  private static final String HALF = "1/2";
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

  /**
   * A DAG of Tez: rows that four tasks make are sorted by two and summed by two others. Nothing of
   * it lies in HDFS but its report.
   *
   * @param rows of 100 bytes; each goes over both edges
   */
  record TezRows(long rows) implements JobWorkload {
    private static final int ROW_BYTES = 100;
    private static final int EDGES = 2;

    /**
     * What both edges carry, and beside it the spills that are being merged, and what is fetched.
     */
    private static final double TEMP_FACTOR = 1.7;

    private static final long HDFS_BYTES = 64L << 20;

    /** As {@link io.temptier.lab.node.NodeCluster} has it of tasks of MapReduce. */
    private static final int TASK_MIB = 1024;

    private static final String TASK_OPTS =
        "-Xmx820m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData"
            + " --add-opens=java.base/java.lang=ALL-UNNAMED";

    @Override
    public String title(NodeSetting setting) {
      return "A DAG of Tez that sorts, and sums apart from it, " + Sizes.format(rows * ROW_BYTES);
    }

    @Override
    public Volume volume() {
      return new Volume(0, HDFS_BYTES, (long) (rows * ROW_BYTES * EDGES * TEMP_FACTOR));
    }

    @Override
    public void prepare(NodeSetting setting, Jobs jobs) {}

    @Override
    public TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
      TezSite tez = new TezSite((PseudoCluster) trial.cluster());
      long each = rows / RowsClient.GENERATORS;
      TezSite.Session session =
          tez.run(trial.output() + "-", each, 1, trial.jobs().deadlineSeconds(), conf(trial));
      String state =
          session.dags().isEmpty()
              ? "NOT RUN: " + session.log().stream().reduce((first, last) -> last).orElse("")
              : session.dags().get(0).get(0);
      return new TrialOutcome(
          session.exitCode() == 0 && state.equals(TrialOutcome.FINE),
          state,
          session.dagSeconds(),
          session.failedAttempts(),
          session.counter("CPU_MILLISECONDS") / 1e3,
          session.placed(),
          Map.of());
    }

    /**
     * Tez's defaults, but for memory, and for fetches, which go over the network as to any node.
     */
    private static Map<String, String> conf(TrialRun trial) {
      Map<String, String> conf = new HashMap<>(trial.armProperties());
      conf.put("tez.task.resource.memory.mb", Integer.toString(TASK_MIB));
      conf.put("tez.task.launch.cmd-opts", TASK_OPTS);
      // Rows of a task are some such buffers, so that it spills and merges as a large one does.
      conf.put("tez.runtime.io.sort.mb", "50");
      conf.put("tez.runtime.unordered.output.buffer.size-mb", "50");
      conf.put("tez.runtime.io.sort.factor", "100");
      conf.put("tez.runtime.shuffle.fetch.buffer.percent", "0.9");
      conf.put("tez.runtime.shuffle.memory.limit.percent", "0.25");
      conf.put("tez.runtime.optimize.local.fetch", "false");
      return conf;
    }

    /** Whether both edges brought all rows: sorted ones are in order, or their task fails. */
    @Override
    public boolean validate(TrialRun trial) throws IOException {
      List<String> report = trial.cluster().lines(trial.output() + "-0");
      long made = rows / RowsClient.GENERATORS * RowsClient.GENERATORS;
      long sum = Rows.checksum(made);
      return List.of(RowsTasks.SORTED, RowsTasks.SUMMED).stream()
          .allMatch(edge -> total(report, edge, 2) == made && total(report, edge, 3) == sum);
    }

    /** The sum of a field over the tasks at an edge's end. */
    private static long total(List<String> report, String edge, int field) {
      return report.stream()
          .filter(line -> line.startsWith(edge + " "))
          .mapToLong(line -> Long.parseLong(line.split(" ", -1)[field]))
          .sum();
    }

    @Override
    public List<Goal> goals(ExperimentResult result) {
      return List.of(
          result.atMost("e10-vs-hdd", "Tez, data fits", FITS, Arm.STOCK_HDD, 0.6),
          result.atMost("e10-vs-ideal", "Tez, data fits", FITS, Arm.IDEAL, 1.03),
          result.atMost(
              "e10-vs-mixed", "Tez, fast disk half of the data", HALF, Arm.STOCK_MIXED, 0.80),
          result.nothingFails("e10-failed-tasks", "Tez: no failed task, all output right"));
    }
  }
}
