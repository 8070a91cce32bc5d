// SPDX-License-Identifier: Apache-2.0
package io.temptier.lab.users;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.fixtures.Accounts;
import io.temptier.fixtures.Needs.NeedsRoot;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopCluster;
import io.temptier.lab.cluster.JobResult;
import io.temptier.lab.cluster.NodeMoves;
import io.temptier.lab.cluster.PseudoCluster;
import io.temptier.lab.cluster.TeraRows;
import io.temptier.lab.node.NodeSpec;
import io.temptier.lab.node.WorkerNode;
import io.temptier.lab.testbed.Disk;
import io.temptier.lab.testbed.DiskSpeed;
import io.temptier.lab.testbed.Folders;
import io.temptier.lab.testbed.PageCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What demotion costs a job whose tasks run as its user: the sort of the experiment {@code
 * demotion}, on disks as there. Says the figures and asserts none of them: a measurement, by
 * request.
 */
@NeedsRoot
@EnabledIfSystemProperty(named = "temptier.users.rounds", matches = "\\d+")
final class DemotionCostIT {
  private static final long ROWS = 1_500_000;
  private static final int MAPS = 12;
  private static final int TASKS = 3;
  private static final int TASK_MIB = 512;
  private static final NodeSpec DISKS =
      new NodeSpec(1, new DiskSpeed(30, 40), 600L << 20, 481L << 20, 2L << 30);

  private final List<Double> offSeconds = new ArrayList<>();
  private final List<Double> onSeconds = new ArrayList<>();

  @Test
  void aSortWithDemotionBesideOneWithout() throws Exception {
    int rounds = Integer.getInteger("temptier.users.rounds");
    try (SecureNode node = SecureNode.create();
        WorkerNode disks =
            WorkerNode.emulated(DISKS, Files.createDirectories(node.home.resolve("disks")))) {
      node.startWith(disks::inGroup);
      try (PseudoCluster cluster = PseudoCluster.start(spec(node, disks, 0, false))) {
        cluster.fs("-mkdir", "-p", "/tmp/hadoop-yarn/staging");
        cluster.fs("-chmod", "-R", "1777", "/tmp");
        cluster.example(TeraRows.teragen(cluster, ROWS, MAPS, "/users/in"));
        for (int trial = 1; trial <= 2 * rounds; trial++) {
          // Whoever is first in one round is second in the next.
          trial(node, disks, cluster, trial, trial % 4 > 1);
        }
      }
    }
    double off = median(offSeconds);
    double on = median(onSeconds);
    System.out.printf(Locale.ROOT, "without %.1f s, with %.1f s: %.3f%n", off, on, on / off);
  }

  private void trial(
      SecureNode node, WorkerNode disks, PseudoCluster cluster, int trial, boolean demotion)
      throws Exception {
    cluster.restartNode(0, spec(node, disks, trial, demotion));
    for (Disk disk : disks.disks().values()) {
      Folders.delete(disk.mount().resolve("local-" + (trial - 1)));
    }
    if (PageCache.canDropAll()) {
      PageCache.dropAll();
    }
    disks.slowDown();
    JobResult job;
    try {
      job =
          cluster.example(
              HadoopCluster.example(
                  "terasort",
                  Map.of("mapreduce.job.reduces", "4"),
                  "/users/in",
                  "/users/" + node.ann + "/out-" + trial));
    } finally {
      disks.speedUp();
    }
    assertEquals(0, job.requireSuccess().failedAttempts());
    JsonNode said = new NodeMoves(cluster).demotion();
    assertEquals(demotion, said.path("FilesDemoted").asLong() > 0, said.toString());
    (demotion ? onSeconds : offSeconds).add(job.jobSeconds());
    System.out.printf(
        Locale.ROOT,
        "demotion %s: %.1f s, %d outputs of %d bytes by %d helpers, %d failures, spilled %d%n",
        demotion ? "on" : "off",
        job.jobSeconds(),
        said.path("FilesDemoted").asLong(),
        said.path("BytesDemoted").asLong(),
        said.path("HelperStarts").asLong(),
        said.path("HelperFailures").asLong() + said.path("DemotionFailures").asLong(),
        job.placed("SPILLED_DOWN_BYTES"));
    cluster.fs("-rm", "-r", "-f", "-skipTrash", "/users/" + node.ann);
  }

  private static ClusterSpec spec(SecureNode node, WorkerNode disks, int trial, boolean demotion)
      throws IOException {
    return node.spec()
        .tiered(true)
        .dirs(
            dir(node, "[NVME]", disks.fastDisks().get(0), trial),
            dir(node, "[DISK]", disks.hdds().get(0), trial))
        .taskMemoryMiB(TASK_MIB)
        .nodeMemoryMiB((1 + TASKS) * TASK_MIB)
        .yarn("yarn.nodemanager.recovery.enabled", "false")
        .yarn("temptier.demotion.enabled", Boolean.toString(demotion))
        .yarn("temptier.demotion.cold-after", "1ms")
        .yarn("temptier.demotion.high", "40%")
        .yarn("temptier.demotion.low", "30%")
        .yarn("temptier.unknown-size", "1m")
        .mapred("mapreduce.reduce.shuffle.input.buffer.percent", "0.25")
        .mapred("mapreduce.job.reduce.slowstart.completedmaps", "0.3")
        .mapred("mapreduce.map.speculative", "false")
        .mapred("mapreduce.reduce.speculative", "false");
  }

  private static ClusterSpec.Dir dir(SecureNode node, String tag, Disk disk, int trial)
      throws IOException {
    Path path = disk.mount().resolve("local-" + trial);
    return new ClusterSpec.Dir(tag, Accounts.give(path, node.nodeUser));
  }

  private static double median(List<Double> seconds) {
    List<Double> sorted = seconds.stream().sorted().toList();
    return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
  }
}
