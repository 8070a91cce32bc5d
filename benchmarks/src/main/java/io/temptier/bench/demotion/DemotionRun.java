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
package io.temptier.bench.demotion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.cluster.ClusterSpec;
import io.temptier.bench.cluster.Folders;
import io.temptier.bench.cluster.HadoopRuntime;
import io.temptier.bench.cluster.JobProgress;
import io.temptier.bench.cluster.JobResult;
import io.temptier.bench.cluster.PseudoCluster;
import io.temptier.bench.cluster.TeraRows;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * One run: a cluster of one node, and the same sort on it again and again, with demotion and
 * without in turn. The NodeManager is started anew before each.
 */
final class DemotionRun {
  private static final String COUNTERS = "TempTier";
  private static final String INFO = "Hadoop:service=NodeManager,name=TempTierShuffleInfo";
  private static final Duration CLEAN_DEADLINE = Duration.ofMinutes(2);
  private static final long POLL_MILLIS = 200;

  /** What may be left on the fast disk: what was localized, and is not the job's. */
  private static final double CLEAN_FILL = 0.05;

  /** The application master and three tasks at a time. */
  private static final int NODE_MEMORY_MIB = 2048;

  private final DemotionPlan plan;
  private final DemotionDisks disks;
  private final Consumer<String> progress;
  private final ClusterSpec spec;

  /**
   * A run.
   *
   * @param progress hears what is being done
   */
  DemotionRun(
      DemotionPlan plan, HadoopRuntime runtime, DemotionDisks disks, Consumer<String> progress) {
    this.plan = plan;
    this.disks = disks;
    this.progress = progress;
    this.spec =
        ClusterSpec.builder(runtime, disks.home().resolve("cluster"))
            .nodeMemoryMiB(NODE_MEMORY_MIB)
            .dirs(
                new ClusterSpec.Dir(disks.fastTag(), disks.fast()),
                new ClusterSpec.Dir("[DISK]", disks.slow()))
            .tiered(true)
            .yarn(
                "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
                "io.temptier.shuffle.TieredShuffleHandler")
            .yarn("temptier.demotion.high", DemotionPlan.HIGH_PERCENT + "%")
            .yarn("temptier.demotion.low", DemotionPlan.LOW_PERCENT + "%")
            // A disk of some hundred megabytes must not be promised away to work dirs.
            .yarn("temptier.unknown-size", "1m")
            // Reducers of this size would keep so little data in memory.
            .mapred("mapreduce.reduce.shuffle.input.buffer.percent", "0.25")
            .mapred("mapreduce.map.speculative", "false")
            .mapred("mapreduce.reduce.speculative", "false")
            .mapred("mapreduce.job.reduce.slowstart.completedmaps", "0.3")
            .build();
  }

  /**
   * Measures. The cluster is gone when this returns or throws.
   *
   * @throws IOException when the cluster or a job cannot be run; the message says which
   */
  List<Trial> run() throws IOException, InterruptedException {
    List<Trial> trials = new ArrayList<>();
    try (PseudoCluster cluster = PseudoCluster.start(spec, progress)) {
      TeraRows made =
          TeraRows.madeBy(job(cluster, TeraRows.teragen(cluster, plan.rows(), 2, "/in")));
      for (int round = 1; round <= plan.rounds(); round++) {
        // Neither is always the one that comes after the other.
        boolean first = round % 2 == 0;
        trials.add(trial(cluster, made, round, first));
        trials.add(trial(cluster, made, round, !first));
      }
    }
    return trials;
  }

  private Trial trial(PseudoCluster cluster, TeraRows made, int round, boolean demotion)
      throws IOException, InterruptedException {
    String name =
        "round " + round + " of " + plan.rounds() + ", demotion " + (demotion ? "on" : "off");
    progress.accept(name + ": starting the NodeManager");
    cluster.restartNode(
        0, spec.change().yarn("temptier.demotion.enabled", Boolean.toString(demotion)).build());
    awaitClean();
    String output = "/out-" + round + "-" + demotion;
    try (FillSampler sampler = new FillSampler(disks.fast())) {
      progress.accept(name);
      JobResult result =
          job(
              cluster,
              "terasort",
              "-Dmapreduce.job.reduces=" + DemotionPlan.REDUCES,
              "-Dmapreduce.input.fileinputformat.split.maxsize=" + plan.splitBytes(),
              "/in",
              output);
      JsonNode moved = demotion(cluster);
      String fault = made.fault(cluster, command -> job(cluster, command), output);
      if (!fault.isEmpty()) {
        throw new IOException(name + ": the sort's output is wrong: " + fault);
      }
      return new Trial(
          demotion,
          result.jobSeconds(),
          moved.path("BytesDemoted").asLong(),
          moved.path("FilesDemoted").asLong(),
          (double) sampler.peakBytes() / plan.fastBytes(),
          result.counter(COUNTERS, "SPILLED_DOWN_BYTES"),
          moved.path("off").isTextual() ? moved.path("off").asText() : null);
    } finally {
      cluster.fs("-rm", "-r", "-f", "-skipTrash", output + "*");
    }
  }

  /** What was demoted since the NodeManager's start. */
  private static JsonNode demotion(PseudoCluster cluster) throws IOException {
    JsonNode text = cluster.nodeBeans(0, INFO).path(0).path("Demotion");
    if (!text.isTextual()) {
      throw new IOException(
          "the NodeManager has no bean "
              + INFO
              + ": TempTier's shuffle handler did not start, see "
              + cluster.nodeManagers().get(0).tail());
    }
    return new ObjectMapper().readTree(text.asText());
  }

  /** Waits until the job before is deleted from the fast disk. */
  private void awaitClean() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + CLEAN_DEADLINE.toNanos();
    while (Folders.bytes(disks.fast()) > plan.fastBytes() * CLEAN_FILL) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            "the job before is not deleted from "
                + disks.fast()
                + " after "
                + CLEAN_DEADLINE.toSeconds()
                + " s");
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private JobResult job(PseudoCluster cluster, String... command)
      throws IOException, InterruptedException {
    JobResult result =
        cluster.example(new JobProgress(command[0], progress), command).requireSuccess();
    if (result.failedAttempts() > 0) {
      throw new IOException(
          command[0]
              + " succeeded, but with failed attempts, whose time is in its own: "
              + result.failedAttempts()
              + ". Its last lines:\n"
              + result.lastLines());
    }
    return result;
  }
}
