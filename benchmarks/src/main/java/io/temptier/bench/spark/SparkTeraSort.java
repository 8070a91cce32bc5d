// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.spark;

import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.jobs.JobWorkload;
import io.temptier.bench.jobs.Jobs;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.jobs.TrialRun;
import io.temptier.bench.report.Goal;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.util.List;

/**
 * An application of Spark that sorts TeraGen's rows from HDFS to HDFS. TeraValidate reads its
 * output.
 *
 * @param rows of 100 bytes
 */
record SparkTeraSort(int rows) implements JobWorkload {
  private static final int ROW_BYTES = 100;
  private static final String IN = "in";

  /** What is shuffled, and what is spilled meanwhile. */
  private static final double TEMP_FACTOR = 2.1;

  /** Input, output, and a margin for checksums. */
  private static final double HDFS_FACTOR = 2.2;

  private static final long BLOCK_BYTES = 128L << 20;

  @Override
  public String command() {
    return "spark";
  }

  @Override
  public String title(NodeSetting setting) {
    return "An application of Spark on %s executors that sorts %s from HDFS to HDFS"
        .formatted(setting.tasks(), Sizes.format(inputBytes()));
  }

  @Override
  public long inputBytes() {
    return (long) rows * ROW_BYTES;
  }

  @Override
  public long hdfsBytes() {
    return (long) (inputBytes() * HDFS_FACTOR);
  }

  @Override
  public long tempBytes() {
    return (long) (inputBytes() * TEMP_FACTOR);
  }

  @Override
  public long blockBytes(NodeSetting setting) {
    return BLOCK_BYTES;
  }

  @Override
  public void configure(ClusterSpec.Builder spec, NodeSetting setting) {
    SparkApplication.configure(spec);
  }

  @Override
  public void prepare(NodeSetting setting, Jobs jobs) throws IOException, InterruptedException {
    jobs.makeRows(rows, SparkApplication.MAPS, IN);
  }

  @Override
  public TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
    String step = "terasort:" + trial.jobs().path(IN) + ":" + sorted(trial);
    return new SparkApplication(0, List.of(step)).run(trial);
  }

  /** Beside its report. */
  private static String sorted(TrialRun trial) {
    return trial.output() + "-sorted";
  }

  @Override
  public boolean validate(TrialRun trial) throws IOException, InterruptedException {
    return trial.jobs().sorted(IN, sorted(trial));
  }

  @Override
  public List<Goal> goals(ExperimentResult result) {
    return SparkCommand.goalsOfHdfs(result);
  }
}
