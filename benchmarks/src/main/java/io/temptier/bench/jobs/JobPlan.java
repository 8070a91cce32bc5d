// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentPlan;
import io.temptier.bench.experiment.ExperimentResult;
import io.temptier.bench.experiment.ExperimentRun;
import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.Part;
import io.temptier.bench.report.Goal;
import io.temptier.lab.node.NodeSpec;
import io.temptier.lab.testbed.DiskSpeed;
import io.temptier.lab.testbed.EmulatedDisk;
import io.temptier.lab.testbed.PageCache;
import io.temptier.tier.Sizes;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Jobs on a cluster that are going to be measured, in numbers.
 *
 * @param skipped lines that say which arms are not run, and why
 * @param readAheadBytes the kernel's readahead on each HDD
 * @param memoryBytes what a node of {@link NodeSetting#TASKS} tasks may use of memory
 * @param deadlineSeconds after which a job is killed and counts as failed
 * @param tempTier properties of TempTier's beside those that switch it on, for the arms that have
 *     it
 */
public record JobPlan(
    Experiment experiment,
    int rounds,
    List<String> skipped,
    DiskSpeed slowDisk,
    long readAheadBytes,
    long memoryBytes,
    long deadlineSeconds,
    Site site,
    Map<String, String> tempTier)
    implements ExperimentPlan {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** HDFS and local dirs fill disks unevenly. */
  private static final double UNEVEN = 1.4;

  /** HDFS sets a block's room aside for each file that is being written. */
  private static final int BLOCKS_AHEAD = 10;

  private static final long FILE_SYSTEM_BYTES = 64L << 20;
  private static final long TASK_MEMORY_BYTES = 256L << 20;

  public JobPlan {
    skipped = List.copyOf(skipped);
    tempTier = Map.copyOf(tempTier);
  }

  /** The node of a setting. Tasks beyond the usual ones bring the memory they need themselves. */
  public NodeSpec node(NodeSetting setting) {
    long hdfs = setting.hdfsApart() ? 0 : workload().hdfsBytes();
    long data = (long) ((hdfs + workload().tempBytes()) * UNEVEN);
    int moreTasks = Math.max(0, setting.tasks() - NodeSetting.TASKS);
    long hdds = data + (BLOCKS_AHEAD + moreTasks) * workload().blockBytes(setting);
    return new NodeSpec(
        setting.hdds(),
        slowDisk,
        hdds / setting.hdds() + FILE_SYSTEM_BYTES,
        fastBytes(setting),
        // In memory, where there is room, HDFS takes what the page cache would.
        memoryBytes + moreTasks * TASK_MEMORY_BYTES + workload().hdfsBytes() - hdfs);
  }

  long fastBytes(NodeSetting setting) {
    return (long) (workload().tempBytes() * setting.fastShare()) + FILE_SYSTEM_BYTES;
  }

  public List<Arm> arms() {
    return experiment.arms();
  }

  public JobWorkload workload() {
    return experiment.workload();
  }

  JobPlan withIops(int iops) {
    DiskSpeed speed = new DiskSpeed(slowDisk.mbPerSecond(), iops);
    return changed(experiment, rounds, skipped, speed);
  }

  /** One run of the workload's baseline on the node of the first setting, without a fast disk. */
  JobPlan baseline() {
    Experiment baseline =
        new Experiment(
            command(),
            "baseline",
            "How busy are the cores without a fast disk?",
            experiment.settings().subList(0, 1),
            List.of(Arm.STOCK_HDD),
            workload().baseline());
    return changed(baseline, 1, List.of(), slowDisk);
  }

  private JobPlan changed(Experiment question, int times, List<String> without, DiskSpeed speed) {
    return new JobPlan(
        question,
        times,
        without,
        speed,
        readAheadBytes,
        memoryBytes,
        deadlineSeconds,
        site,
        tempTier);
  }

  @Override
  public String command() {
    return experiment.command();
  }

  @Override
  public String label() {
    return experiment.label();
  }

  @Override
  public String question() {
    return experiment.question();
  }

  @Override
  public String lead() {
    NodeSetting first = experiment.settings().get(0);
    String place =
        site.ownCluster()
            ? ", on " + site
            : (site.ownDirs() ? ", on disks as they are" : ", on one emulated node")
                + (first.hdfsApart() ? "" : ", HDFS on the HDDs");
    return workload().title(first)
        + place
        + "; about "
        + Sizes.format(workload().tempBytes())
        + " of temporary data at its peak";
  }

  @Override
  public List<Part> parts() {
    return experiment.settings().stream()
        .map(setting -> new Part(List.of(setting.name()), arms()))
        .toList();
  }

  private NodeSetting setting(String name) {
    return experiment.settings().stream()
        .filter(setting -> setting.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no setting " + name));
  }

  @Override
  public String description(String setting) {
    return workload().title(setting(setting)) + "; " + place(setting(setting));
  }

  String place(NodeSetting setting) {
    return (site.emulated() ? node(setting).toString() : site.toString()) + setting.peculiarity();
  }

  @Override
  public List<Figure> figures() {
    boolean seen =
        !site.ownCluster() && experiment.settings().stream().anyMatch(one -> one.hdds() > 1);
    Stream<Figure> ofNode = seen ? Stream.of(HddBalance.FIGURE) : Stream.empty();
    return Stream.concat(workload().figures().stream(), ofNode).toList();
  }

  @Override
  public boolean runsJobs() {
    return true;
  }

  @Override
  public List<Goal> goals(ExperimentResult result) {
    return workload().goals(result);
  }

  @Override
  public void describe(ObjectNode node) {
    node.set("workload", MAPPER.valueToTree(workload()));
    node.put("inputBytes", workload().inputBytes())
        .put("tempBytes", workload().tempBytes())
        .put("readAheadBytes", readAheadBytes)
        .put("deadlineSeconds", deadlineSeconds);
    ObjectNode nodes = node.putObject("nodes");
    ObjectNode fastBytes = node.putObject("fastBytes");
    for (NodeSetting setting : experiment.settings()) {
      if (site.emulated() || !setting.fits()) {
        fastBytes.put(setting.name(), fastBytes(setting));
      }
      nodes.put(setting.name(), description(setting.name()));
    }
  }

  @Override
  public Optional<String> hindrance() throws IOException {
    return site.emulated() ? EmulatedDisk.hindrance() : Optional.empty();
  }

  @Override
  public Testbed open(Part part, ExperimentRun run) throws IOException, InterruptedException {
    NodeSetting setting = setting(part.settings().get(0));
    run.note(
        "page cache",
        PageCache.canDropAll() && !site.ownCluster()
            ? "dropped before each trial"
            : "not dropped, which needs root");
    return site.ownCluster()
        ? ClusterTestbed.start(this, setting, run)
        : NodeTestbed.start(this, setting, run);
  }

  /** The size of the disk that everything fits on, where the node's own is too small. */
  long idealBytes() {
    return (long) (workload().tempBytes() * NodeSetting.FITS) + FILE_SYSTEM_BYTES;
  }

  /** Whether a setting needs one more disk, that everything fits on. */
  boolean needsIdeal(NodeSetting setting) {
    return arms().stream().anyMatch(Arm::ideal) && !setting.fits() && site.emulated();
  }

  long imageBytes(NodeSetting setting) {
    return node(setting).imageBytes() + (needsIdeal(setting) ? idealBytes() : 0);
  }
}
