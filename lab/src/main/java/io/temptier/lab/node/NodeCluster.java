// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.node;

import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Hadoop on a worker node: HDFS on its slow disks, as on a worker, and tasks that are large enough
 * for their data to outweigh the start of their JVMs.
 */
public final class NodeCluster {
  /** Tasks that a node runs at once, unless something else is asked for. */
  public static final int TASKS = 5;

  private static final int TASK_MIB = 1024;
  private static final int MASTER_MIB = 512;
  private static final int MASTERS = 2;

  /** Hadoop's default of a block. */
  public static final long BLOCK_BYTES = 128L << 20;

  /** Hadoop's default of a sort buffer. */
  private static final int SORT_MIB = 100;

  private static final int LEAST_SORT_MIB = 10;

  private NodeCluster() {}

  /** Returns the MiB that a node offers for so many tasks at once, beside an application master. */
  public static int memoryMiB(int tasks) {
    return memoryMiB(tasks, MASTERS);
  }

  /** Returns the MiB that a node offers for so many tasks at once, beside so many masters. */
  public static int memoryMiB(int tasks, int masters) {
    return masters * MASTER_MIB + tasks * TASK_MIB;
  }

  /**
   * The sort buffer of a map that reads a block, in MiB: with smaller blocks as much smaller, so
   * that a map still spills twice and merges, as it does by Hadoop's defaults.
   */
  static int sortMiB(long blockBytes) {
    long share = SORT_MIB * blockBytes / BLOCK_BYTES;
    return (int) Math.min(SORT_MIB, Math.max(LEAST_SORT_MIB, share));
  }

  /**
   * Describes a cluster with a local dir on each slow disk and TempTier off.
   *
   * @param home the cluster's folder, not on one of the disks
   */
  public static ClusterSpec on(WorkerNode node, HadoopRuntime runtime, Path home, long blockBytes)
      throws IOException {
    List<String> dataDirs = new ArrayList<>();
    List<ClusterSpec.Dir> localDirs = new ArrayList<>();
    for (var hdd : node.hdds()) {
      Path data = Files.createDirectories(hdd.mount().resolve("hdfs"));
      dataDirs.add("[DISK]file://" + data);
      localDirs.add(new ClusterSpec.Dir("[DISK]", hdd.mount().resolve("local")));
    }
    ClusterSpec spec =
        new ClusterSpec(runtime, home)
            .launcher(node::inGroup)
            .nodeMemoryMiB(memoryMiB(TASKS))
            .taskMemoryMiB(TASK_MIB)
            .dirs(localDirs.toArray(ClusterSpec.Dir[]::new))
            .hdfs("dfs.datanode.data.dir", String.join(",", dataDirs))
            .hdfs("dfs.blocksize", Long.toString(blockBytes))
            // A DataNode passes disks with less than another gigabyte by.
            .hdfs("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0")
            // Blocks that are deleted must be gone before the next job is measured.
            .hdfs("dfs.heartbeat.interval", "1")
            .hdfs("dfs.namenode.redundancy.interval.seconds", "1")
            // A disk is bad when nothing fits any more, not before: the arms are to show that.
            .yarn(
                "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage",
                "99")
            .mapred("mapreduce.task.io.sort.mb", Integer.toString(sortMiB(blockBytes)))
            .mapred("mapreduce.job.reduce.slowstart.completedmaps", "0.3");
    for (String side : List.of("map", "reduce")) {
      // A second attempt at a task would be counted as if the job needed its bytes.
      spec.mapred("mapreduce." + side + ".speculative", "false");
    }
    return spec;
  }
}
