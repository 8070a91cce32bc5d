// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.jobs;

import io.temptier.bench.experiment.ExperimentRun;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.experiment.TrialId;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.experiment.Workload.Testbed;
import io.temptier.bench.jobs.JobWorkload.TrialRun;
import io.temptier.bench.report.MachineFacts;
import io.temptier.hadoop.conf.TierKey;
import io.temptier.lab.cluster.ExistingCluster;
import io.temptier.lab.testbed.Opened;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A cluster of the user's. Arms differ in the properties of their jobs alone; daemons, disks and
 * page caches are left as they are. All files are in one folder below the user's home in the
 * cluster's file system, which goes in the end.
 */
record ClusterTestbed(JobWorkload workload, Setting setting, ExistingCluster cluster, Jobs jobs)
    implements Testbed {
  static ClusterTestbed start(Plan plan, Setting setting, ExperimentRun run)
      throws IOException, InterruptedException {
    String folder = "temptier-bench-" + Instant.now().toEpochMilli() + "/";
    ExistingCluster cluster = ExistingCluster.of(Path.of(plan.site().confDir()), run.runtime());
    Jobs jobs = Jobs.on(cluster, folder, plan, run);
    ClusterTestbed testbed =
        new ClusterTestbed((JobWorkload) plan.workload(), setting, cluster, jobs);
    return Opened.ready(testbed, made -> made.workload.prepare(setting, made.jobs));
  }

  @Override
  public Trial run(TrialId id) throws IOException, InterruptedException {
    // What else the arms differ in is up to the cluster: it has TempTier.
    Map<String, String> properties =
        Map.of(TierKey.ENABLED.key(), Boolean.toString(id.arm().tiered()));
    String output = jobs.path("out-" + id.round() + "-" + id.arm().label());
    TrialRun run = new TrialRun(setting, id, properties, output, jobs.named(id.toString()));
    String load = MachineFacts.load();
    try {
      long start = System.nanoTime();
      TrialOutcome outcome = workload.run(run);
      double wallSeconds = (System.nanoTime() - start) / 1e9;
      boolean validated = outcome.succeeded() && workload.validate(run);
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
