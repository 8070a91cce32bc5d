// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import io.temptier.lab.users.TaskUser;
import io.temptier.tier.Medium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
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

  /** Of all HDDs, read and written by anybody. */
  private static final Figure HDD_MIB = new Figure("hddMib", "HDDs' bytes, MiB");

  /** Of the bytes that TempTier's shuffle handler sent. */
  private static final Figure FAST_SHUFFLE =
      new Figure("fastShuffle", "share of the shuffle from the fast disk");

  /** Of all that the NodeManager started and that has ended, by the kernel. */
  private static final Figure CONTAINER_CPU = new Figure("containerCpu", "containers' CPU, s");

  /** Where a process's stat has the ticks of its children that ended, counted from its state. */
  private static final int CHILDREN_USER = 13;

  private static final double TICKS_PER_SECOND = 100;

  static final String NODE = "Hadoop:service=NodeManager,name=TempTier";
  private static final String INFO = "Hadoop:service=NodeManager,name=TempTierShuffleInfo";
  private static final double MIB = 1 << 20;

  /** What it measures of each trial, on so many HDDs at most. */
  static List<Figure> figures(int hdds) {
    List<Figure> all = List.of(CONTAINER_CPU, HDD_MIB, FAST_SHUFFLE, BUSIEST_HDD);
    return hdds > 1 ? all : all.subList(0, 3);
  }

  private final TrialNode on;
  private final JobWorkload workload;
  private final PseudoCluster cluster;
  private final Jobs jobs;
  private final ExperimentRun run;
  private final Opened opened;
  private final @Nullable TaskUser user;
  private @Nullable MergedMount mount;
  private int number;

  private NodeTestbed(
      TrialNode on,
      PseudoCluster cluster,
      ExperimentRun run,
      Opened opened,
      @Nullable TaskUser user) {
    this.on = on;
    this.workload = on.plan().workload();
    this.cluster = cluster;
    this.jobs = Jobs.on(cluster, "/", on.plan().plan(), run);
    this.run = run;
    this.opened = opened;
    this.user = user;
  }

  static NodeTestbed start(JobPlan plan, Setting setting, ExperimentRun run)
      throws IOException, InterruptedException {
    return Opened.make(
        opened -> {
          TrialNode on = TrialNode.open(plan, setting, run, opened);
          TaskUser user = null;
          if (plan.plan().experiment().arms().stream().anyMatch(Arm::asUser)) {
            user = opened.push(TaskUser.create(run.runtime()));
          }
          HadoopRuntime runtime = user == null ? run.runtime() : user.runtime();
          PseudoCluster cluster = PseudoCluster.start(spec(on, runtime), run::progress);
          NodeTestbed testbed = new NodeTestbed(on, cluster, run, opened, user);
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
    if (arm.asUser()) {
      List<Path> paths = dirs.stream().map(ClusterSpec.Dir::path).toList();
      Objects.requireNonNull(user).run(node, paths, on.node()::inGroup);
    }
    cluster.restartNode(0, node);
    awaitBlocksDeleted();
    String load = MachineFacts.load();
    String output = jobs.path("out-" + number);
    TrialRun trial = new TrialRun(on.setting(), id, Map.of(), output, jobs.named(id.toString()));
    try {
      Trial seen = measure(trial, folder, load);
      double fill = (double) seen.peakFastBytes() / on.plan().fastBytes(on.setting());
      TrialOutcome outcome = workload.judge(trial, seen.outcome().with(ofNode(seen)), fill);
      // Nothing that follows runs on it, and its end takes as long.
      cluster.quitNode(0);
      boolean validated = outcome.succeeded() && workload.validate(trial);
      return seen.with(outcome, validated);
    } finally {
      jobs.remove(output + "*");
    }
  }

  private Map<String, Double> ofNode(Trial seen) throws IOException {
    Map<String, Double> figures = new HashMap<>(busiestHdd(seen.traffic()));
    figures.put(HDD_MIB.name(), seen.hddBytes() / MIB);
    figures.put(CONTAINER_CPU.name(), containerSeconds());
    if (seen.id().arm().tiered()) {
      figures.put(FAST_SHUFFLE.name(), fastShare(shuffle(cluster, "Media")));
    }
    return figures;
  }

  private double containerSeconds() throws IOException {
    long pid = cluster.nodeManagers().get(0).handle().pid();
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    // Its name, in parentheses, may have blanks in it.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[CHILDREN_USER]) + Long.parseLong(fields[CHILDREN_USER + 1]))
        / TICKS_PER_SECOND;
  }

  /** The share of all bytes sent that came from another medium than HDDs; no number of none. */
  static double fastShare(JsonNode media) {
    double slow = 0;
    double all = 0;
    for (JsonNode medium : media) {
      double bytes = medium.path("BytesSent").asDouble();
      all += bytes;
      slow += medium.path("medium").asText().equals(Medium.DISK.name()) ? bytes : 0;
    }
    return (all - slow) / all;
  }

  /** What TempTier's shuffle handler tells of itself. */
  static JsonNode shuffle(PseudoCluster cluster, String attribute) throws IOException {
    JsonNode text = cluster.nodeBeans(0, INFO).path(0).path(attribute);
    if (!text.isTextual()) {
      throw new IOException(
          "the NodeManager has no bean " + INFO + ": TempTier's shuffle handler did not start");
    }
    return new ObjectMapper().readTree(text.asText());
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
