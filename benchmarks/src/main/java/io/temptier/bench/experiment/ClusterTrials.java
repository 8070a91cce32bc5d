// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.bench.cluster.ExistingCluster;
import io.temptier.bench.cluster.Facts;
import io.temptier.bench.cluster.JobPlugins;
import io.temptier.bench.testbed.Opened;
import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Trials on a cluster of the user's, one after the other. Arms differ in the properties of their
 * jobs alone; daemons, disks and page caches are left as they are. All files are in one folder
 * below the user's home in the cluster's file system, which goes in the end.
 */
final class ClusterTrials implements Closeable {
  private final ExperimentPlan plan;
  private final Setting setting;
  private final ExistingCluster cluster;
  private final Jobs jobs;

  private ClusterTrials(ExperimentPlan plan, Setting setting, ExistingCluster cluster, Jobs jobs) {
    this.plan = plan;
    this.setting = setting;
    this.cluster = cluster;
    this.jobs = jobs;
  }

  /**
   * Makes the input.
   *
   * @param progress hears what is being done
   * @throws IOException when it cannot be made; nothing is left then
   */
  static ClusterTrials start(
      ExperimentPlan plan, Setting setting, ExistingCluster cluster, Consumer<String> progress)
      throws IOException, InterruptedException {
    String folder = "temptier-bench-" + Instant.now().toEpochMilli() + "/";
    Jobs jobs = new Jobs(cluster, folder, plan.deadlineSeconds(), progress);
    ClusterTrials trials = new ClusterTrials(plan, setting, cluster, jobs);
    return Opened.ready(trials, made -> plan.workload().prepare(setting, made.jobs));
  }

  /**
   * Makes one.
   *
   * @return also when the job failed
   * @throws IOException when the cluster fails
   */
  Trial run(TrialId id) throws IOException, InterruptedException {
    Map<String, String> properties = id.arm().tiered() ? JobPlugins.TIERED : JobPlugins.STOCK;
    String output = jobs.path("out-" + id.round() + "-" + id.arm().label());
    TrialRun run =
        new TrialRun(setting, id, properties, output, cluster, jobs.named(id.toString()));
    String load = Facts.load();
    try {
      long start = System.nanoTime();
      Outcome outcome = plan.workload().run(run);
      double wallSeconds = (System.nanoTime() - start) / 1e9;
      boolean validated = outcome.succeeded() && plan.workload().validate(run);
      return new Trial(
          id, outcome, validated, wallSeconds, outcome.cpuSeconds(), Map.of(), load, List.of());
    } finally {
      cluster.fs("-rm", "-r", "-f", "-skipTrash", output + "*");
    }
  }

  @Override
  public void close() throws IOException {
    try {
      cluster.fs("-rm", "-r", "-f", "-skipTrash", jobs.path(""));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted; " + jobs.path("") + " is left in the cluster", e);
    }
  }
}
