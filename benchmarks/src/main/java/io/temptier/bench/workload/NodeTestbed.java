// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.ExperimentRun;
import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.experiment.Trial.TrialId;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.experiment.Workload.Testbed;
import io.temptier.bench.report.MachineFacts;
import io.temptier.bench.workload.JobWorkload.TrialRun;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopRuntime;
import io.temptier.lab.cluster.PseudoCluster;
import io.temptier.lab.node.NodeCluster;
import io.temptier.lab.node.WorkerNode;
import io.temptier.lab.testbed.Disk;
import io.temptier.lab.testbed.DiskTraffic;
import io.temptier.lab.testbed.Folders;
import io.temptier.lab.testbed.MergedMount;
import io.temptier.lab.testbed.Opened;
import io.temptier.lab.testbed.PageCache;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cluster on one node, and trials on it, one after the other. Before each the NodeManager starts
 * anew with the arm's local dirs, what was there before is deleted, and the page cache is dropped.
 * The disks are slow while the workload runs and only then: what is done in between is not
 * measured.
 */
final class NodeTestbed implements Testbed {
  private static final long STILL_SECONDS = 20;
  private static final long POLL_MILLIS = 200;

  /** Checksums, and what HDFS needs for itself. */
  private static final double HDFS_CLEAN = 1.05;

  /** Room for a block or two that is being written; what does not fit is moved anyway. */
  private static final long MERGED_RESERVE_BYTES = 64L << 20;

  /**
   * How evenly HDDs were used. A job takes as long as the busiest one: that one's bytes, read and
   * written by anybody, by the mean of all.
   */
  static final Figure BUSIEST_HDD =
      new Figure("busiestHdd", "busiest HDD's bytes by the mean HDD's");

  private final TrialNode on;
  private final JobWorkload workload;
  private final PseudoCluster cluster;
  private final Jobs jobs;
  private final ExperimentRun run;
  private final Opened opened;
  private @Nullable MergedMount mount;
  private int number;

  private NodeTestbed(TrialNode on, PseudoCluster cluster, ExperimentRun run, Opened opened) {
    this.on = on;
    this.workload = on.plan().workload();
    this.cluster = cluster;
    this.jobs = Jobs.on(cluster, "/", on.plan().plan(), run);
    this.run = run;
    this.opened = opened;
  }

  static NodeTestbed start(JobPlan plan, Setting setting, ExperimentRun run)
      throws IOException, InterruptedException {
    return Opened.make(
        opened -> {
          TrialNode on = TrialNode.open(plan, setting, run, opened);
          PseudoCluster cluster = PseudoCluster.start(spec(on, run.runtime()), run::progress);
          NodeTestbed testbed = new NodeTestbed(on, cluster, run, opened);
          opened.push(testbed::closeCluster);
          plan.workload().prepare(setting, testbed.jobs);
          return testbed;
        });
  }

  private static ClusterSpec spec(TrialNode on, HadoopRuntime runtime) throws IOException {
    WorkerNode node = on.node();
    Setting setting = on.setting();
    JobWorkload workload = on.plan().workload();
    // On a kernel that slows groups the group must be there before its first process.
    node.slowDown();
    node.speedUp();
    ClusterSpec spec =
        NodeCluster.on(node, runtime, on.home().resolve("cluster"), workload.blockBytes(setting))
            .nodeMemoryMiB(NodeCluster.memoryMiB(setting.tasks()));
    if (on.plan().site().emulated()) {
      // Its few cores would compile for speed while the disks wait, and the tasks end before it
      // pays.
      spec.shortTasks();
    }
    if (setting.hdfsApart()) {
      spec.hdfs("dfs.datanode.data.dir", "file://" + on.home().resolve("hdfs"));
    }
    workload.configure(spec, setting);
    return spec;
  }

  @Override
  public Trial run(TrialId id) throws IOException, InterruptedException {
    Arm arm = id.arm();
    run.progress(id + ": starting the NodeManager");
    cluster.stopNode(0);
    unmount();
    // Else the next one would begin on disks that the trial before has filled.
    for (Disk disk : on.disks().values()) {
      Folders.delete(disk.mount().resolve("local-" + number));
    }
    String folder = "local-" + ++number;
    Path merged = on.home().resolve("merged-" + number);
    if (arm.merged()) {
      mount = merge(merged, folder);
    }
    List<ClusterSpec.Dir> dirs = on.dirs(arm, folder, merged);
    ClusterSpec node =
        cluster.spec().tiered(arm.tiered()).dirs(dirs.toArray(ClusterSpec.Dir[]::new));
    if (arm.tiered()) {
      // What the arm is about is above what the user asks for.
      node.yarn(on.plan().plan().properties()).yarn(arm.properties());
    }
    cluster.restartNode(0, node);
    awaitBlocksDeleted();
    String load = MachineFacts.load();
    String output = jobs.path("out-" + number);
    TrialRun trial = new TrialRun(on.setting(), id, Map.of(), output, jobs.named(id.toString()));
    try {
      Trial seen = measure(trial, folder, load);
      double fill = (double) seen.peakFastBytes() / on.plan().fastBytes(on.setting());
      TrialOutcome outcome =
          workload.judge(trial, seen.outcome(), fill).with(busiestHdd(seen.traffic()));
      // Nothing that follows runs on it, and its end takes as long.
      cluster.quitNode(0);
      boolean validated = outcome.succeeded() && workload.validate(trial);
      return seen.with(outcome, validated);
    } finally {
      jobs.remove(output + "*");
    }
  }

  /** The figure by its name; empty where there are not several HDDs, or they were idle. */
  static Map<String, Double> busiestHdd(Map<String, DiskTraffic> traffic) {
    LongSummaryStatistics bytes =
        traffic.entrySet().stream()
            .filter(disk -> WorkerNode.isHdd(disk.getKey()))
            .mapToLong(disk -> disk.getValue().bytes())
            .summaryStatistics();
    return bytes.getCount() < 2 || bytes.getSum() == 0
        ? Map.of()
        : Map.of(BUSIEST_HDD.name(), bytes.getMax() / bytes.getAverage());
  }

  /** What came of the jobs, not validated yet, and what was seen of the machine meanwhile. */
  private Trial measure(TrialRun trial, String folder, String load)
      throws IOException, InterruptedException {
    if (PageCache.canDropAll()) {
      PageCache.dropAll();
    }
    on.node().slowDown();
    try (NodeSampler sampler = new NodeSampler(on.disks(), on.node(), folder)) {
      long start = System.nanoTime();
      TrialOutcome outcome = workload.run(trial);
      double wallSeconds = (System.nanoTime() - start) / 1e9;
      return new Trial(
          trial.id(),
          outcome,
          false,
          wallSeconds,
          sampler.workSeconds(),
          sampler.traffic(),
          load,
          sampler.moments());
    } finally {
      on.node().speedUp();
    }
  }

  /** The fast disk before the slow ones, as their names are given. */
  private MergedMount merge(Path merged, String folder) throws IOException {
    List<Path> folders =
        on.node().disks().values().stream().map(disk -> disk.mount().resolve(folder)).toList();
    return MergedMount.create(merged, folders, MERGED_RESERVE_BYTES, on.node()::inGroup);
  }

  /**
   * Else the disks would be deleting the job before while the next is measured. A replica whose
   * writer gave up on a slow disk stays until the DataNode's next scan, hours later, and does no
   * harm: what has not shrunk for a while is not being deleted.
   */
  private void awaitBlocksDeleted() throws IOException, InterruptedException {
    long clean = (long) (workload.volume().input() * HDFS_CLEAN) + (16L << 20);
    long bytes = cluster.hdfsBytes();
    long shrunk = System.nanoTime();
    while (bytes > clean && System.nanoTime() - shrunk < STILL_SECONDS * 1_000_000_000) {
      Thread.sleep(POLL_MILLIS);
      long now = cluster.hdfsBytes();
      if (now < bytes) {
        shrunk = System.nanoTime();
      }
      bytes = now;
    }
  }

  private void unmount() throws IOException {
    if (mount != null) {
      mount.close();
      mount = null;
    }
  }

  private void closeCluster() throws IOException {
    cluster.close();
    unmount();
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }
}
