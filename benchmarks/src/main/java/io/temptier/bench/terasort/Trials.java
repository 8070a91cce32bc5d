/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.terasort;

import io.temptier.bench.cluster.ClusterSpec;
import io.temptier.bench.cluster.Facts;
import io.temptier.bench.cluster.Folders;
import io.temptier.bench.cluster.HadoopRuntime;
import io.temptier.bench.cluster.JobResult;
import io.temptier.bench.cluster.PseudoCluster;
import io.temptier.bench.node.EmulatedNode;
import io.temptier.bench.node.NodeCluster;
import io.temptier.bench.testbed.DiskTraffic;
import io.temptier.bench.testbed.EmulatedDisk;
import io.temptier.bench.testbed.MergedMount;
import io.temptier.bench.testbed.PageCache;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A cluster on one node, and sorts on it, one after the other. Before each the NodeManager starts
 * anew with the arm's local dirs, what was there before is deleted, and the page cache is dropped.
 * The disks are slow while a sort runs and only then: what is done in between is not measured.
 */
final class Trials implements AutoCloseable {
  private static final String COUNTERS = "TempTier";
  private static final String IN = "/in";
  private static final long CLEAN_SECONDS = 120;
  private static final long POLL_MILLIS = 200;

  /** Checksums, and what HDFS needs for itself. */
  private static final double HDFS_CLEAN = 1.05;

  /** Room for a block or two that is being written; what does not fit is moved anyway. */
  private static final long MERGED_RESERVE_BYTES = 64L << 20;

  private final TeraSortPlan plan;
  private final EmulatedNode node;
  private final EmulatedDisk ideal;
  private final Map<String, EmulatedDisk> disks;
  private final ClusterSpec spec;
  private final PseudoCluster cluster;
  private final Jobs jobs;
  private final Consumer<String> progress;
  private final Path home;
  private @Nullable MergedMount mount;
  private int number;

  private Trials(
      TeraSortPlan plan,
      EmulatedNode node,
      EmulatedDisk ideal,
      Map<String, EmulatedDisk> disks,
      PseudoCluster cluster,
      Path home,
      Consumer<String> progress) {
    this.home = home;
    this.plan = plan;
    this.node = node;
    this.ideal = ideal;
    this.disks = disks;
    this.spec = cluster.spec();
    this.cluster = cluster;
    this.jobs = new Jobs(cluster, plan.deadlineSeconds(), progress);
    this.progress = progress;
  }

  /**
   * Starts the cluster and makes the input.
   *
   * @param disks all of them, by name
   * @param home the run's folder
   * @param progress hears what is being done
   * @throws IOException when either cannot be done; nothing runs then
   */
  static Trials start(
      TeraSortPlan plan,
      HadoopRuntime runtime,
      EmulatedNode node,
      EmulatedDisk ideal,
      Map<String, EmulatedDisk> disks,
      Path home,
      Consumer<String> progress)
      throws IOException, InterruptedException {
    // On a kernel that slows groups the group must be there before its first process.
    node.slowDown();
    node.speedUp();
    ClusterSpec spec =
        NodeCluster.on(node, runtime, home.resolve("cluster"), plan.blockBytes()).build();
    PseudoCluster cluster = PseudoCluster.start(spec, progress);
    boolean ready = false;
    try {
      Trials trials = new Trials(plan, node, ideal, disks, cluster, home, progress);
      trials.generate();
      ready = true;
      return trials;
    } finally {
      if (!ready) {
        cluster.close();
      }
    }
  }

  private void generate() throws IOException, InterruptedException {
    JobResult made =
        jobs.run("teragen", "-Dmapreduce.job.maps=" + plan.maps(), Long.toString(plan.rows()), IN);
    if (!made.succeeded()) {
      throw new IOException("teragen ended as " + made.state() + ": " + Jobs.lastLines(made));
    }
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
    Path merged = home.resolve("merged-" + number);
    MergedMount oldMount = mount;
    mount = arm == Arm.MERGERFS ? merge(merged, folder) : null;
    List<ClusterSpec.Dir> dirs = arm.dirs(node, ideal, folder, merged);
    progress.accept(id + ": starting the NodeManager");
    cluster.restartNode(
        0, spec.change().tiered(arm.tiered()).dirs(dirs.toArray(ClusterSpec.Dir[]::new)).build());
    if (oldMount != null) {
      oldMount.close();
    }
    for (EmulatedDisk disk : disks.values()) {
      Folders.delete(disk.mount().resolve(old));
    }
    awaitBlocksDeleted();
    String load = Facts.load();
    String output = "/out-" + number;
    try {
      Seen seen = measure(id, dirs, folder, output);
      boolean validated = seen.job().succeeded() && validate(id, output);
      return trial(id, seen, validated, load);
    } finally {
      cluster.fs("-rm", "-r", "-f", "-skipTrash", output, output + "-validated");
    }
  }

  /** A job, and what was seen of it. */
  private record Seen(
      JobResult job, double cpuSeconds, Map<String, DiskTraffic> traffic, List<Moment> moments) {}

  private Seen measure(TrialId id, List<ClusterSpec.Dir> dirs, String folder, String output)
      throws IOException, InterruptedException {
    PageCache.dropAll();
    node.slowDown();
    try (NodeSampler sampler = new NodeSampler(disks, plan.slowDisk(), folder)) {
      JobResult job = jobs.run(id + ": terasort", sort(id.arm(), dirs, output));
      return new Seen(job, sampler.workSeconds(), sampler.traffic(), sampler.moments());
    } finally {
      node.speedUp();
    }
  }

  private String[] sort(Arm arm, List<ClusterSpec.Dir> dirs, String output) {
    Map<String, String> properties = new HashMap<>();
    properties.put("mapreduce.job.reduces", Integer.toString(plan.reduces()));
    if (arm.tiered()) {
      properties.putAll(PseudoCluster.tieredJob(dirs));
    }
    return Jobs.command("terasort", properties, IN, output);
  }

  private boolean validate(TrialId id, String output) throws IOException, InterruptedException {
    return jobs.run(
            id + ": teravalidate",
            Jobs.command("teravalidate", Map.of(), output, output + "-validated"))
        .succeeded();
  }

  private static Trial trial(TrialId id, Seen seen, boolean validated, String load) {
    JobResult job = seen.job();
    Map<String, Long> written = new HashMap<>();
    Map<String, Long> read = new HashMap<>();
    seen.traffic()
        .forEach(
            (disk, done) -> {
              written.put(disk, done.writtenBytes());
              read.put(disk, done.readBytes());
            });
    return new Trial(
        id,
        job.succeeded(),
        job.state(),
        validated,
        job.jobSeconds() > 0 ? job.jobSeconds() : job.seconds(),
        job.seconds(),
        job.failedAttempts(),
        seen.cpuSeconds(),
        written,
        read,
        job.counters().getOrDefault(COUNTERS, Map.of()),
        load,
        seen.moments());
  }

  /** The fast disk before the slow ones, as their names are given. */
  private MergedMount merge(Path merged, String folder) throws IOException {
    List<Path> folders = new ArrayList<>(List.of(node.fast().mount().resolve(folder)));
    node.hdds().forEach(hdd -> folders.add(hdd.mount().resolve(folder)));
    return MergedMount.create(merged, folders, MERGED_RESERVE_BYTES, node::inGroup);
  }

  /** Else the disks would be deleting the job before while the next is measured. */
  private void awaitBlocksDeleted() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + CLEAN_SECONDS * 1_000_000_000;
    long clean = (long) (plan.inputBytes() * HDFS_CLEAN) + (16L << 20);
    while (cluster.hdfsBytes() > clean) {
      if (System.nanoTime() > deadline) {
        throw new IOException(
            "HDFS holds "
                + cluster.hdfsBytes()
                + " bytes, more than its input, "
                + CLEAN_SECONDS
                + " s after the rest was deleted");
      }
      Thread.sleep(POLL_MILLIS);
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
