// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.bench.experiment.ExperimentRun;
import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.Part;
import io.temptier.bench.experiment.Plan;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.Site;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.experiment.Trial.TrialId;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.experiment.Workload;
import io.temptier.bench.report.MachineFacts;
import io.temptier.bench.workload.JobWorkload.Volume;
import io.temptier.hadoop.conf.TierKey;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.ExistingCluster;
import io.temptier.lab.testbed.Opened;
import io.temptier.lab.testbed.PageCache;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Jobs that an experiment measures on a cluster. What is reckoned beforehand makes the disks'
 * sizes; too little, and HDFS or the fast disk are full.
 */
public interface JobWorkload extends Workload {
  String title(Setting setting);

  /**
   * The bytes of its data, without replicas.
   *
   * @param input in HDFS before and between trials
   * @param hdfs the most in HDFS at once, input included
   */
  record Volume(long input, long hdfs, long temp) {
    /** Room for the report of an application, and for what its framework puts into HDFS. */
    public static final long REPORT_BYTES = 64L << 20;

    /**
     * Of a sort: input, output and checksums in HDFS; map outputs, and beside them what reducers
     * fetched or merged.
     */
    public static Volume ofSort(long input) {
      return new Volume(input, (long) (input * 2.2), (long) (input * 2.1));
    }
  }

  /**
   * What a workload has to run on in one trial.
   *
   * @param output a path of HDFS for this trial alone; all that begins with it is deleted
   *     afterwards
   * @param jobs runs programs on it, and kills what takes too long
   */
  record TrialRun(
      Setting setting, TrialId id, Map<String, String> armProperties, String output, Jobs jobs) {
    public TrialRun {
      armProperties = Map.copyOf(armProperties);
    }

    /** The properties of a job in this arm: the given ones and the arm's. */
    public Map<String, String> properties(Map<String, String> own) {
      Map<String, String> properties = new HashMap<>(own);
      properties.putAll(armProperties);
      return properties;
    }
  }

  Volume volume();

  /** HDFS's block on a node; of any size where no file is split. */
  default long blockBytes(Setting setting) {
    return 64L << 20;
  }

  /** What it measures beside seconds, in the order to show it. */
  default List<Figure> figures() {
    return List.of();
  }

  /**
   * Whether a cluster will do that others use, too, that {@link #configure} has not changed, and on
   * whose nodes no program of ours lies.
   */
  default boolean anyCluster() {
    return false;
  }

  /** Changes the cluster before it is started, such as its scheduler. */
  default void configure(ClusterSpec spec, Setting setting) throws IOException {}

  /** Makes its input, once for all trials on a cluster, on disks that are not slow. */
  void prepare(Setting setting, Jobs jobs) throws IOException, InterruptedException;

  /**
   * Runs what is measured, on slow disks with a cold page cache.
   *
   * @return also when jobs failed
   */
  TrialOutcome run(TrialRun trial) throws IOException, InterruptedException;

  /**
   * Adds to what came of the jobs what the node can tell of them. Called before its NodeManager
   * ends, and not on a cluster of the user's.
   *
   * @param fill the most that the fast disk was filled, 0 to 1
   */
  default TrialOutcome judge(TrialRun trial, TrialOutcome outcome, double fill) throws IOException {
    return outcome;
  }

  /** Whether the output is right. Called after jobs that succeeded, on disks that are not slow. */
  boolean validate(TrialRun trial) throws IOException, InterruptedException;

  @Override
  default Plan fitted(Plan plan) {
    return new JobPlan(plan).fitted();
  }

  @Override
  default String lead(Plan plan) {
    Setting first = plan.experiment().settings().get(0);
    Site site = plan.site();
    String place =
        site.ownCluster()
            ? ", on " + site
            : (site.ownDirs() ? ", on disks as they are" : ", on one emulated node")
                + (first.hdfsApart() ? "" : ", HDFS on the HDDs");
    String temp = Sizes.format(volume().temp());
    return title(first) + place + "; about " + temp + " of temporary data at its peak";
  }

  @Override
  default String description(Plan plan, Setting setting) {
    return title(setting) + "; " + new JobPlan(plan).place(setting);
  }

  @Override
  default List<Figure> figures(Plan plan) {
    int hdds = plan.experiment().settings().stream().mapToInt(Setting::hdds).max().orElse(0);
    List<Figure> ofNode = plan.site().ownCluster() ? List.of() : NodeTestbed.figures(hdds);
    return Stream.concat(figures().stream(), ofNode.stream()).toList();
  }

  @Override
  default boolean runsJobs() {
    return true;
  }

  @Override
  default Testbed open(Plan plan, Part part, ExperimentRun run)
      throws IOException, InterruptedException {
    Setting setting = plan.experiment().setting(part.settings().get(0));
    run.note(
        "page cache",
        PageCache.canDropAll() && !plan.site().ownCluster()
            ? "dropped before each trial"
            : "not dropped, which needs root");
    return plan.site().ownCluster()
        ? ClusterTestbed.start(plan, setting, run)
        : NodeTestbed.start(new JobPlan(plan), setting, run);
  }

  /**
   * A cluster of the user's. Arms differ in the properties of their jobs alone; daemons, disks and
   * page caches are left as they are. All files are in one folder below the user's home in the
   * cluster's file system, which goes in the end.
   */
  record ClusterTestbed(JobWorkload workload, Setting setting, Jobs jobs) implements Testbed {
    static ClusterTestbed start(Plan plan, Setting setting, ExperimentRun run)
        throws IOException, InterruptedException {
      String folder = "temptier-bench-" + Instant.now().toEpochMilli() + "/";
      ExistingCluster cluster = ExistingCluster.of(Path.of(plan.site().confDir()), run.runtime());
      Jobs jobs = Jobs.on(cluster, folder, plan, run);
      return Opened.ready(
          new ClusterTestbed((JobWorkload) plan.workload(), setting, jobs),
          made -> made.workload.prepare(setting, jobs));
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
        jobs.remove(output + "*");
      }
    }

    @Override
    public void close() throws IOException {
      try {
        jobs.remove(jobs.path(""));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted; " + jobs.path("") + " is left in the cluster", e);
      }
    }
  }
}
