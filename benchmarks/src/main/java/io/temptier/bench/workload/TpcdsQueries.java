// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.bench.experiment.Figure;
import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.lab.cluster.ClusterSpec;
import io.temptier.lab.cluster.SparkResult;
import io.temptier.lab.cluster.SparkRuntime;
import io.temptier.lab.process.Shell;
import io.temptier.lab.spark.TpcdsWork;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An application of Spark that runs queries of TPC-DS one by one, over tables in HDFS made by
 * {@link TpcdsWork}. What stock Spark gives is what every arm must give.
 *
 * @param queries names of Spark's own texts, parted by spaces
 * @param sales rows of the largest table
 */
public record TpcdsQueries(String queries, long sales) implements JobWorkload {
  private static final int PARTITIONS = 6;
  private static final int SHUFFLES = 12;
  private static final String EXPECTED = "tpcds-expected";
  private static final String TABLES = "tables";

  /** The few cores of an emulated node that compress would not keep its disks busy. */
  private static final Map<String, String> UNCOMPRESSED =
      Map.of("spark.shuffle.compress", "false", "spark.shuffle.spill.compress", "false");

  private static final String QUERY = "tpcds:";

  /** Of all tables, for each row of the largest. */
  private static final int BYTES_OF_A_SALE = 75;

  /** The most that a query has in local dirs, for each row of the largest table. */
  private static final int TEMP_BYTES_OF_A_SALE = 290;

  @Override
  public String title(Setting setting) {
    return "An application of Spark on %s executors with TPC-DS's %s over %,d store sales"
        .formatted(setting.tasks(), String.join(", ", names()), sales);
  }

  private List<String> names() {
    return List.of(queries.split(" ", -1));
  }

  @Override
  public Volume volume() {
    long tables = BYTES_OF_A_SALE * sales;
    return new Volume(tables, tables + Volume.REPORT_BYTES, TEMP_BYTES_OF_A_SALE * sales);
  }

  @Override
  public List<Figure> figures() {
    return names().stream().map(query -> new Figure(query + "Seconds", query + ", s")).toList();
  }

  @Override
  public void configure(ClusterSpec spec, Setting setting) throws IOException {
    SparkRuntime.locate().configure(spec);
  }

  /** Makes the tables, and what stock gives for each query. */
  @Override
  public void prepare(Setting setting, Jobs jobs) throws IOException, InterruptedException {
    String tables = "tpcds-tables:" + jobs.path(TABLES) + ":" + sales;
    List<String> steps = Shell.line(tables, steps(jobs));
    SparkResult stock =
        SparkJob.requireSuccess(submit(jobs, false, setting, jobs.path(EXPECTED), steps));
    List<String> failed =
        stock.steps().stream()
            .filter(step -> step.digest().equals(TpcdsWork.FAILED))
            .map(step -> query(step.name()))
            .toList();
    if (!failed.isEmpty()) {
      jobs.note("queries that stock Spark cannot run", String.join(", ", failed));
    }
  }

  private List<String> steps(Jobs jobs) {
    return names().stream().map(name -> QUERY + jobs.path(TABLES) + ":" + name).toList();
  }

  private static String query(String step) {
    return step.substring(step.lastIndexOf(':') + 1);
  }

  @Override
  public TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
    Jobs jobs = trial.jobs();
    boolean tiered = trial.id().arm().tiered();
    return SparkJob.outcome(
        submit(jobs, tiered, trial.setting(), trial.output(), steps(jobs)), TpcdsQueries::query);
  }

  private static SparkResult submit(
      Jobs jobs, boolean tiered, Setting setting, String report, List<String> steps)
      throws IOException, InterruptedException {
    List<String> work = Shell.line(PARTITIONS, 0, SHUFFLES, steps);
    SparkRuntime runtime = SparkRuntime.locate().with(SparkRuntime.tpcds());
    Map<String, String> own = new HashMap<>(UNCOMPRESSED);
    own.put(SparkJob.EXECUTORS, Integer.toString(setting.tasks()));
    return SparkJob.submit(runtime, own, jobs, tiered, report, work, line -> {});
  }

  @Override
  public boolean validate(TrialRun trial) throws IOException {
    List<String> expected = trial.jobs().cluster().lines(trial.jobs().path(EXPECTED));
    List<String> wrong = wrong(expected, trial.jobs().cluster().lines(trial.output()));
    if (!wrong.isEmpty()) {
      trial.jobs().note("results of stock's that are missing", String.join(", ", wrong));
    }
    return wrong.isEmpty();
  }

  /** Results that stock has and an arm has not, from their reports. */
  static List<String> wrong(List<String> stock, List<String> arm) {
    List<String> given = SparkResult.digests(arm);
    return SparkResult.digests(stock).stream()
        .filter(one -> one.startsWith(QUERY) && !one.endsWith(" " + TpcdsWork.FAILED))
        .filter(one -> !given.contains(one))
        .toList();
  }
}
