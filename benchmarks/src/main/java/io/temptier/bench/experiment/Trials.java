// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.cluster.ClusterSpec;
import io.temptier.bench.cluster.Facts;
import io.temptier.bench.cluster.Folders;
import io.temptier.bench.cluster.HadoopRuntime;
import io.temptier.bench.cluster.JobPlugins;
import io.temptier.bench.cluster.PseudoCluster;
import io.temptier.bench.node.NodeCluster;
import io.temptier.bench.node.WorkerNode;
import io.temptier.bench.testbed.Disk;
import io.temptier.bench.testbed.DiskTraffic;
import io.temptier.bench.testbed.MergedMount;
import io.temptier.bench.testbed.Opened;
import io.temptier.bench.testbed.PageCache;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A cluster on one node, and trials on it, one after the other. Before each the NodeManager starts
 * anew with the arm's local dirs, what was there before is deleted, and the page cache is dropped.
 * The disks are slow while the workload runs and only then: what is done in between is not
 * measured.
 */
final class Trials implements Closeable {
  private static final long STILL_SECONDS = 20;
  private static final long POLL_MILLIS = 200;

  /** Checksums, and what HDFS needs for itself. */
  private static final double HDFS_CLEAN = 1.05;

  /** Room for a block or two that is being written; what does not fit is moved anyway. */
  private static final long MERGED_RESERVE_BYTES = 64L << 20;

  private final Stage stage;
  private final Workload workload;
  private final ClusterSpec spec;
  private final PseudoCluster cluster;
  private final Jobs jobs;
  private final Consumer<String> progress;
  private @Nullable MergedMount mount;
  private int number;

  private Trials(Stage stage, PseudoCluster cluster, Consumer<String> progress) {
    this.stage = stage;
    this.workload = stage.plan().workload();
    this.spec = cluster.spec();
    this.cluster = cluster;
    this.jobs = new Jobs(cluster, "/", stage.plan().deadlineSeconds(), progress);
    this.progress = progress;
  }

  /**
   * Starts the cluster and makes the input.
   *
   * @param progress hears what is being done
   * @throws IOException when either cannot be done; nothing runs then
   */
  static Trials start(Stage stage, HadoopRuntime runtime, Consumer<String> progress)
      throws IOException, InterruptedException {
    WorkerNode node = stage.node();
    Setting setting = stage.setting();
    Workload workload = stage.plan().workload();
    // On a kernel that slows groups the group must be there before its first process.
    node.slowDown();
    node.speedUp();
    ClusterSpec.Builder spec =
        NodeCluster.on(node, runtime, stage.home().resolve("cluster"), workload.blockBytes(setting))
            .nodeMemoryMiB(NodeCluster.memoryMiB(setting.tasks()));
    if (stage.plan().site().emulated()) {
      // Its few cores would compile for speed while the disks wait, and the tasks end before it
      // pays.
      spec.shortTasks();
    }
    if (setting.hdfsApart()) {
      spec.hdfs("dfs.datanode.data.dir", "file://" + stage.home().resolve("hdfs"));
    }
    workload.configure(spec, setting);
    PseudoCluster cluster = PseudoCluster.start(spec.build(), progress);
    Trials trials = new Trials(stage, cluster, progress);
    return Opened.ready(trials, made -> workload.prepare(setting, made.jobs));
  }

  /**
   * Makes one.
   *
   * @return also when the job failed
   * @throws IOException when the cluster fails
   */
  Trial run(TrialId id) throws IOException, InterruptedException {
    Arm arm = id.arm();
    String old = "local-" + number;
    String folder = "local-" + ++number;
    Path merged = stage.home().resolve("merged-" + number);
    MergedMount oldMount = mount;
    mount = arm.merged() ? merge(merged, folder) : null;
    List<ClusterSpec.Dir> dirs = arm.dirs(stage, folder, merged);
    progress.accept(id + ": starting the NodeManager");
    cluster.stopNode(0);
    if (oldMount != null) {
      oldMount.close();
    }
    // Else the next one would begin on disks that the trial before has filled.
    for (Disk disk : stage.disks().values()) {
      Folders.delete(disk.mount().resolve(old));
    }
    ClusterSpec.Builder node =
        spec.change().tiered(arm.tiered()).dirs(dirs.toArray(ClusterSpec.Dir[]::new));
    if (arm.tiered()) {
      tempTier(arm).forEach(node::yarn);
    }
    cluster.restartNode(0, node.build());
    awaitBlocksDeleted();
    String load = Facts.load();
    String output = jobs.path("out-" + number);
    TrialRun run =
        new TrialRun(
            stage.setting(), id, properties(arm, dirs), output, cluster, jobs.named(id.toString()));
    try {
      Seen seen = measure(run, folder);
      long fast = seen.moments().stream().mapToLong(one -> one.tempBytes().fast()).max().orElse(0);
      double fill = (double) fast / stage.plan().fastBytes(stage.setting());
      Outcome outcome = workload.judge(run, seen.outcome(), fill);
      // Nothing that follows runs on it, and its end takes as long.
      cluster.quitNode(0);
      boolean validated = outcome.succeeded() && workload.validate(run);
      return new Trial(
          id,
          outcome,
          validated,
          seen.wallSeconds(),
          seen.cpuSeconds(),
          seen.traffic(),
          load,
          seen.moments());
    } finally {
      cluster.fs("-rm", "-r", "-f", "-skipTrash", output + "*");
    }
  }

  private Map<String, String> properties(Arm arm, List<ClusterSpec.Dir> dirs) {
    if (!arm.tiered()) {
      return Map.of();
    }
    Map<String, String> properties = new HashMap<>(JobPlugins.tiered(dirs));
    properties.putAll(tempTier(arm));
    return properties;
  }

  /** What the user asks for, and above that what the arm is about. */
  private Map<String, String> tempTier(Arm arm) {
    Map<String, String> properties = new HashMap<>(stage.plan().tempTier());
    properties.putAll(arm.properties());
    return properties;
  }

  /** What came of the jobs, and what was seen of the machine meanwhile. */
  private record Seen(
      Outcome outcome,
      double wallSeconds,
      double cpuSeconds,
      Map<String, DiskTraffic> traffic,
      List<Moment> moments) {}

  private Seen measure(TrialRun run, String folder) throws IOException, InterruptedException {
    if (PageCache.canDropAll()) {
      PageCache.dropAll();
    }
    stage.node().slowDown();
    try (NodeSampler sampler = new NodeSampler(stage.disks(), stage.node(), folder)) {
      long start = System.nanoTime();
      Outcome outcome = workload.run(run);
      double wallSeconds = (System.nanoTime() - start) / 1e9;
      return new Seen(
          outcome, wallSeconds, sampler.workSeconds(), sampler.traffic(), sampler.moments());
    } finally {
      stage.node().speedUp();
    }
  }

  /** The fast disk before the slow ones, as their names are given. */
  private MergedMount merge(Path merged, String folder) throws IOException {
    WorkerNode node = stage.node();
    List<Path> folders = new ArrayList<>();
    node.fastDisks().forEach(disk -> folders.add(disk.mount().resolve(folder)));
    node.hdds().forEach(hdd -> folders.add(hdd.mount().resolve(folder)));
    return MergedMount.create(merged, folders, MERGED_RESERVE_BYTES, node::inGroup);
  }

  /**
   * Else the disks would be deleting the job before while the next is measured. A replica whose
   * writer gave up on a slow disk stays until the DataNode's next scan, hours later, and does no
   * harm: what has not shrunk for a while is not being deleted.
   */
  private void awaitBlocksDeleted() throws IOException, InterruptedException {
    long clean = (long) (workload.inputBytes() * HDFS_CLEAN) + (16L << 20);
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

  @Override
  public void close() throws IOException {
    cluster.close();
    if (mount != null) {
      mount.close();
    }
  }
}
