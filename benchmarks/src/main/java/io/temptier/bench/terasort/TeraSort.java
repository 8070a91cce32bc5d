// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.terasort;

import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.jobs.JobWorkload;
import io.temptier.bench.jobs.Jobs;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.report.Goal;
import io.temptier.lab.cluster.HadoopCluster;
import io.temptier.lab.cluster.JobResult;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Hadoop's TeraSort; TeraValidate reads its output.
 *
 * @param rows of 100 bytes to sort
 * @param maxBlockBytes of HDFS; smaller on a node that runs more tasks than there would be blocks
 */
public record TeraSort(long rows, long maxBlockBytes, int mostReduces) implements JobWorkload {
  private static final int ROW_BYTES = 100;
  private static final long ROWS = 7_680_000;
  private static final long QUICK_ROWS = 3_840_000;
  private static final long BLOCK_BYTES = 128L << 20;
  private static final long TINY_ROWS = 2_560_000;
  private static final long TINY_BLOCK_BYTES = 64L << 20;

  /** The property that says how many reduces a job has. */
  static final String REDUCES = "mapreduce.job.reduces";

  static final String IN = "in";

  /** Two for each core of a small node. */
  static final int REDUCES_OF_A_NODE = 4;

  private static final int MIN_TASKS = 2;
  private static final long BLOCK_STEP = 1L << 20;

  /** Rows to sort unless a number was asked for: half as many in less time. */
  public static long usualRows(boolean quick) {
    return quick ? QUICK_ROWS : ROWS;
  }

  public static TeraSort usual() {
    return of(ROWS, BLOCK_BYTES);
  }

  /** The smallest that waits for disks rather than for cores. */
  public static TeraSort tiny() {
    return of(TINY_ROWS, TINY_BLOCK_BYTES);
  }

  public static TeraSort of(long rows, long maxBlockBytes) {
    return new TeraSort(rows, maxBlockBytes, REDUCES_OF_A_NODE);
  }

  @Override
  public String title(NodeSetting setting) {
    return "TeraSort of %s in %s maps and %s reduces"
        .formatted(Sizes.format(inputBytes()), maps(setting), reduces(setting));
  }

  @Override
  public Volume volume() {
    return Volume.ofSort(rows * ROW_BYTES);
  }

  @Override
  public long blockBytes(NodeSetting setting) {
    if (setting.tasks() <= NodeSetting.TASKS) {
      return maxBlockBytes;
    }
    return Math.min(maxBlockBytes, blockBytes(rows, setting.tasks()));
  }

  /** A block by which so many rows have at most so many maps, and not many fewer. */
  static long blockBytes(long rows, int maps) {
    return (rows * ROW_BYTES / maps / BLOCK_STEP + 1) * BLOCK_STEP;
  }

  int maps(NodeSetting setting) {
    long block = blockBytes(setting);
    return (int) Math.max(MIN_TASKS, (inputBytes() + block - 1) / block);
  }

  /** As many as are wanted, and no more than there are maps. */
  int reduces(NodeSetting setting) {
    return Math.min(mostReduces, maps(setting));
  }

  @Override
  public JobWorkload baseline() {
    return tiny();
  }

  @Override
  public boolean anyCluster() {
    return true;
  }

  @Override
  public void prepare(NodeSetting setting, Jobs jobs) throws IOException, InterruptedException {
    jobs.makeRows(rows, maps(setting), IN);
  }

  @Override
  public TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
    return TrialOutcome.of(sort(trial, Map.of(), line -> {}, IN, trial.output()));
  }

  /**
   * Sorts a folder of the run's into another.
   *
   * @param output hears each line that the client prints
   */
  JobResult sort(
      TrialRun trial, Map<String, String> own, Consumer<String> output, String from, String to)
      throws IOException, InterruptedException {
    Map<String, String> properties = trial.properties(own);
    properties.putIfAbsent(REDUCES, Integer.toString(reduces(trial.setting())));
    String[] command = HadoopCluster.example("terasort", properties, trial.jobs().path(from), to);
    return trial.jobs().example(output, command);
  }

  @Override
  public boolean validate(TrialRun trial) throws IOException, InterruptedException {
    return sorted(trial, trial.output());
  }

  public boolean sorted(TrialRun trial, String output) throws IOException, InterruptedException {
    return trial.jobs().sorted(IN, output);
  }

  @Override
  public List<Goal> goals(ExperimentResult result) {
    return TeraSortExperiment.goals(result);
  }
}
