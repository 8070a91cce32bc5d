// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.spark;

import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.jobs.JobWorkload;
import io.temptier.bench.jobs.Jobs;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.jobs.TrialRun;
import io.temptier.bench.report.Goal;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopCluster;
import io.temptier.lab.cluster.SparkResult;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.util.List;

/**
 * An application of Spark that sorts rows, caches some on disks and reads them again, and queries
 * tables. It makes all rows itself: nothing of it lies in HDFS but its report.
 *
 * @param rows of 100 bytes that are sorted
 */
record SparkRows(int rows) implements JobWorkload {
  private static final int ROW_BYTES = 100;

  private static final List<String> STEPS = List.of("sort", "cache", "sql");
  private static final String EXPECTED = "spark-expected";

  /** Shuffles of all steps, which stay until the end, the cache, and what is spilled meanwhile. */
  private static final double TEMP_FACTOR = 2.3;

  private static final long HDFS_BYTES = 64L << 20;

  @Override
  public String command() {
    return "spark";
  }

  @Override
  public String title(NodeSetting setting) {
    return ("An application of Spark on %s executors that sorts %s, caches as much on disks and"
            + " reads it again, and queries as many rows")
        .formatted(setting.tasks(), Sizes.format((long) rows * ROW_BYTES));
  }

  @Override
  public long hdfsBytes() {
    return HDFS_BYTES;
  }

  @Override
  public long tempBytes() {
    return (long) (rows * ROW_BYTES * TEMP_FACTOR);
  }

  /** Seconds of each step. */
  @Override
  public List<Figure> figures() {
    return STEPS.stream().map(SparkApplication::figure).toList();
  }

  @Override
  public void configure(ClusterSpec.Builder spec, NodeSetting setting) {
    SparkApplication.configure(spec);
  }

  /** By stock Spark, for what comes out of the trials to be compared with. */
  @Override
  public void prepare(NodeSetting setting, Jobs jobs) throws IOException, InterruptedException {
    SparkResult stock = application().submit(jobs, false, setting, jobs.path(EXPECTED));
    if (!stock.succeeded()) {
      throw new IOException(
          "Spark ended with " + stock.exitCode() + ":\n" + String.join("\n", stock.log()));
    }
  }

  private SparkApplication application() {
    return new SparkApplication(rows, STEPS);
  }

  @Override
  public TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
    return application().run(trial);
  }

  @Override
  public boolean validate(TrialRun trial) throws IOException {
    HadoopCluster cluster = trial.cluster();
    List<String> expected = SparkResult.digests(cluster.lines(trial.jobs().path(EXPECTED)));
    return expected.size() == STEPS.size()
        && expected.equals(SparkResult.digests(cluster.lines(trial.output())));
  }

  @Override
  public List<Goal> goals(ExperimentResult result) {
    return SparkCommand.goals(result);
  }
}
