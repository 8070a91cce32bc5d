// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.HadoopCluster;
import io.temptier.lab.cluster.SparkResult;
import io.temptier.lab.cluster.SparkRuntime;
import io.temptier.lab.cluster.SparkSite;
import io.temptier.lab.node.NodeCluster;
import io.temptier.lab.process.Shell;
import io.temptier.lab.spark.TpcdsWork;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * An application of {@link io.temptier.lab.spark.SparkWork}. It sorts rows, caches some on disks
 * and reads them again, and queries tables, all of them made by itself, so that nothing of it lies
 * in HDFS but its report; or it sorts TeraGen's rows from HDFS to HDFS.
 *
 * @param rows of 100 bytes that are sorted
 */
public record SparkJob(int rows, boolean fromHdfs) implements JobWorkload {
  private static final List<String> STEPS = List.of("sort", "cache", "sql");
  private static final String EXPECTED = "spark-expected";
  private static final String IN = "in";
  static final int MAPS = 6;
  static final int REDUCES = 4;

  /** Beside what Spark needs of memory apart from its heap, as much as a task of MapReduce has. */
  private static final int EXECUTOR_MIB = 768;

  static final String EXECUTORS = "spark.executor.instances";

  /** Shuffles of all steps, which stay until the end, the cache, and what is spilled meanwhile. */
  private static final double TEMP_FACTOR = 2.3;

  @Override
  public String title(Setting setting) {
    String bytes = Sizes.format((long) rows * TeraSort.ROW_BYTES);
    return "An application of Spark on %s executors that sorts %s".formatted(setting.tasks(), bytes)
        + (fromHdfs
            ? " from HDFS to HDFS"
            : ", caches as much on disks and reads it again, and queries as many rows");
  }

  @Override
  public Volume volume() {
    long bytes = (long) rows * TeraSort.ROW_BYTES;
    return fromHdfs
        ? Volume.ofSort(bytes)
        : new Volume(0, Volume.REPORT_BYTES, (long) (bytes * TEMP_FACTOR));
  }

  @Override
  public long blockBytes(Setting setting) {
    return fromHdfs ? NodeCluster.BLOCK_BYTES : JobWorkload.super.blockBytes(setting);
  }

  @Override
  public List<Figure> figures() {
    return fromHdfs
        ? List.of()
        : STEPS.stream().map(step -> new Figure(step + "Seconds", step + ", s")).toList();
  }

  @Override
  public void configure(ClusterSpec spec, Setting setting) throws IOException {
    SparkRuntime.locate().configure(spec);
  }

  /**
   * Rows to sort; or what stock Spark gives, for what comes out of the trials to be held against.
   */
  @Override
  public void prepare(Setting setting, Jobs jobs) throws IOException, InterruptedException {
    if (fromHdfs) {
      jobs.makeRows(rows, MAPS, IN);
      return;
    }
    requireSuccess(submit(jobs, false, setting, jobs.path(EXPECTED), STEPS));
  }

  static SparkResult requireSuccess(SparkResult stock) throws IOException {
    if (!stock.succeeded()) {
      throw new IOException(
          "Spark ended with " + stock.exitCode() + ":\n" + String.join("\n", stock.log()));
    }
    return stock;
  }

  @Override
  public TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
    List<String> steps =
        fromHdfs
            ? List.of("terasort:" + trial.jobs().path(IN) + ":" + trial.output() + "-sorted")
            : STEPS;
    boolean tiered = trial.id().arm().tiered();
    SparkResult result = submit(trial.jobs(), tiered, trial.setting(), trial.output(), steps);
    return outcome(result, name -> name.split(":", -1)[0]);
  }

  /** With the seconds of each step that did not fail, by what its name is for people. */
  static TrialOutcome outcome(SparkResult result, UnaryOperator<String> name) {
    Map<String, Double> figures = new HashMap<>();
    for (SparkResult.Step step : result.steps()) {
      if (!step.digest().equals(TpcdsWork.FAILED)) {
        figures.put(name.apply(step.name()) + "Seconds", step.millis() / 1e3);
      }
    }
    return new TrialOutcome(
        result.succeeded(),
        result.succeeded() ? TrialOutcome.FINE : "EXIT CODE " + result.exitCode(),
        result.seconds(),
        (int) result.tasks().failed(),
        result.tasks().cpuMillis() / 1e3,
        Map.of(),
        figures);
  }

  private SparkResult submit(
      Jobs jobs, boolean tiered, Setting setting, String report, List<String> steps)
      throws IOException, InterruptedException {
    int made = fromHdfs ? 0 : rows / MAPS;
    List<String> work = Shell.line(MAPS, made, REDUCES, steps);
    Map<String, String> own = Map.of(EXECUTORS, Integer.toString(setting.tasks()));
    return submit(SparkRuntime.locate(), own, jobs, tiered, report, work, line -> {});
  }

  /** Submits it with properties of its own; {@code output} hears what its client prints. */
  static SparkResult submit(
      SparkRuntime runtime,
      Map<String, String> own,
      Jobs jobs,
      boolean tiered,
      String report,
      List<String> work,
      Consumer<String> output)
      throws IOException, InterruptedException {
    SparkSite spark = new SparkSite(jobs.ownCluster(), runtime);
    Map<String, String> conf = tiered ? spark.tiered() : new HashMap<>();
    conf.put("spark.executor.memory", EXECUTOR_MIB + "m");
    conf.putAll(own);
    return spark.run(report, work, conf, jobs.deadlineSeconds(), output);
  }

  @Override
  public boolean validate(TrialRun trial) throws IOException, InterruptedException {
    if (fromHdfs) {
      return trial.jobs().sorted(IN, trial.output() + "-sorted");
    }
    HadoopCluster cluster = trial.jobs().cluster();
    List<String> expected = SparkResult.digests(cluster.lines(trial.jobs().path(EXPECTED)));
    return expected.size() == STEPS.size()
        && expected.equals(SparkResult.digests(cluster.lines(trial.output())));
  }
}
