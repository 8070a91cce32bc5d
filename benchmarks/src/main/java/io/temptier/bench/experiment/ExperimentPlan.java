// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.node.NodeSpec;
import io.temptier.bench.testbed.DiskSpeed;
import io.temptier.bench.testbed.EmulatedDisk;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is going to be measured, in numbers.
 *
 * @param experiment the question
 * @param workload the work
 * @param rounds how often each arm is run
 * @param arms in the order of the first round
 * @param skipped lines that say which arms are not run, and why
 * @param slowDisk what each HDD can do
 * @param readAheadBytes the kernel's readahead on each HDD
 * @param memoryBytes what a node of {@link Setting#TASKS} tasks may use of memory
 * @param deadlineSeconds after which a job is killed and counts as failed
 * @param site where
 * @param tempTier properties of TempTier's beside those that switch it on, for the arms that have
 *     it
 */
public record ExperimentPlan(
    Experiment experiment,
    Workload workload,
    int rounds,
    List<Arm> arms,
    List<String> skipped,
    DiskSpeed slowDisk,
    long readAheadBytes,
    long memoryBytes,
    long deadlineSeconds,
    Site site,
    Map<String, String> tempTier) {
  /** HDFS and local dirs fill disks unevenly. */
  private static final double UNEVEN = 1.4;

  /** HDFS sets a block's room aside for each file that is being written. */
  private static final int BLOCKS_AHEAD = 10;

  private static final long FILE_SYSTEM_BYTES = 64L << 20;

  /** Of its JVM and its sort buffer. */
  private static final long TASK_MEMORY_BYTES = 256L << 20;

  public ExperimentPlan {
    arms = List.copyOf(arms);
    skipped = List.copyOf(skipped);
    tempTier = Map.copyOf(tempTier);
  }

  /** The node of a setting. Tasks beyond the usual ones bring the memory they need themselves. */
  public NodeSpec node(Setting setting) {
    long hdfs = setting.hdfsApart() ? 0 : workload.hdfsBytes();
    long data = (long) ((hdfs + workload.tempBytes()) * UNEVEN);
    int moreTasks = Math.max(0, setting.tasks() - Setting.TASKS);
    long hdds = data + (BLOCKS_AHEAD + moreTasks) * workload.blockBytes(setting);
    return new NodeSpec(
        setting.hdds(),
        slowDisk,
        hdds / setting.hdds() + FILE_SYSTEM_BYTES,
        fastBytes(setting),
        // In memory, where there is room, HDFS takes what the page cache would.
        memoryBytes + moreTasks * TASK_MEMORY_BYTES + workload.hdfsBytes() - hdfs);
  }

  /** The size of a setting's fast disk. */
  long fastBytes(Setting setting) {
    return (long) (workload.tempBytes() * setting.fastShare()) + FILE_SYSTEM_BYTES;
  }

  /** This plan with other HDDs. */
  ExperimentPlan withHdds(DiskSpeed speed) {
    return changed(experiment, workload, rounds, arms, skipped, speed);
  }

  /** One run of the workload's baseline on the node of the first setting, without a fast disk. */
  ExperimentPlan baseline() {
    Experiment baseline =
        new Experiment(
            "baseline",
            "How busy are the cores without a fast disk?",
            experiment.settings().subList(0, 1),
            List.of(Arm.STOCK_HDD));
    return changed(baseline, workload.baseline(), 1, baseline.arms(), List.of(), slowDisk);
  }

  private ExperimentPlan changed(
      Experiment question,
      Workload work,
      int times,
      List<Arm> runs,
      List<String> left,
      DiskSpeed speed) {
    return new ExperimentPlan(
        question,
        work,
        times,
        runs,
        left,
        speed,
        readAheadBytes,
        memoryBytes,
        deadlineSeconds,
        site,
        tempTier);
  }

  /** Why it cannot be run here, or empty. */
  Optional<String> hindrance() throws IOException {
    return site.emulated() ? EmulatedDisk.hindrance() : Optional.empty();
  }

  /** A node's setting for people. */
  String description(Setting setting) {
    return (site.emulated() ? node(setting).toString() : site.toString()) + setting.peculiarity();
  }

  /** The size of the disk that everything fits on, where the node's own is too small. */
  long idealBytes() {
    return (long) (workload.tempBytes() * Setting.FITS) + FILE_SYSTEM_BYTES;
  }

  /** Whether a setting needs one more disk, that everything fits on. */
  boolean needsIdeal(Setting setting) {
    return arms.stream().anyMatch(Arm::ideal) && !setting.fits() && site.emulated();
  }

  /** What the images of all disks of a setting take. */
  long imageBytes(Setting setting) {
    return node(setting).imageBytes() + (needsIdeal(setting) ? idealBytes() : 0);
  }

  /** How many trials there are in all. */
  int trials() {
    return experiment.settings().size() * rounds * arms.size();
  }
}
