// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.lab.cluster.HadoopCluster;
import io.temptier.lab.cluster.JobResult;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Hadoop's TeraSort; TeraValidate reads its output.
 *
 * @param rows of 100 bytes to sort
 * @param block of HDFS; smaller on a node that runs more tasks than there would be blocks
 * @param reduces at most
 */
public record TeraSort(long rows, long block, int reduces) implements JobWorkload {
  static final int ROW_BYTES = 100;

  static final String REDUCES = "mapreduce.job.reduces";

  static final String IN = "in";

  /** Two for each core of a small node. */
  static final int REDUCES_OF_A_NODE = 4;

  private static final int MIN_TASKS = 2;
  private static final long BLOCK_STEP = 1L << 20;

  public static TeraSort of(long rows, long block) {
    return new TeraSort(rows, block, REDUCES_OF_A_NODE);
  }

  @Override
  public String title(Setting setting) {
    return "TeraSort of %s in %s maps and %s reduces"
        .formatted(Sizes.format(volume().input()), maps(setting), reduces(setting));
  }

  @Override
  public Volume volume() {
    return Volume.ofSort(rows * ROW_BYTES);
  }

  @Override
  public long blockBytes(Setting setting) {
    if (setting.tasks() <= Setting.TASKS) {
      return block;
    }
    return Math.min(block, blockBytes(rows, setting.tasks()));
  }

  /** A block by which so many rows have at most so many maps, and not many fewer. */
  static long blockBytes(long rows, int maps) {
    return (rows * ROW_BYTES / maps / BLOCK_STEP + 1) * BLOCK_STEP;
  }

  int maps(Setting setting) {
    long block = blockBytes(setting);
    return (int) Math.max(MIN_TASKS, (volume().input() + block - 1) / block);
  }

  /** As many as are wanted, and no more than there are maps. */
  int reduces(Setting setting) {
    return Math.min(reduces, maps(setting));
  }

  @Override
  public boolean anyCluster() {
    return true;
  }

  @Override
  public void prepare(Setting setting, Jobs jobs) throws IOException, InterruptedException {
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
}
