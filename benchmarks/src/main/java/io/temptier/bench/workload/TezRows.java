// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import io.temptier.bench.experiment.Setting;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.lab.cluster.TezSite;
import io.temptier.lab.tez.Rows;
import io.temptier.lab.tez.RowsClient;
import io.temptier.lab.tez.RowsTasks;
import io.temptier.tier.text.Sizes;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A DAG of Tez: rows that four tasks make are sorted by two and summed by two others. Nothing of it
 * lies in HDFS but its report.
 *
 * @param rows of 100 bytes; each goes over both edges
 */
public record TezRows(long rows) implements JobWorkload {
  private static final int EDGES = 2;

  /** What both edges carry, and beside it the spills that are being merged, and what is fetched. */
  private static final double TEMP_FACTOR = 1.7;

  /** As {@link io.temptier.lab.node.NodeCluster} has it of tasks of MapReduce. */
  private static final int TASK_MIB = 1024;

  private static final String TASK_OPTS =
      "-Xmx820m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData"
          + " --add-opens=java.base/java.lang=ALL-UNNAMED";

  @Override
  public String title(Setting setting) {
    return "A DAG of Tez that sorts, and sums apart from it, "
        + Sizes.format(rows * TeraSort.ROW_BYTES);
  }

  @Override
  public Volume volume() {
    return new Volume(
        0, Volume.REPORT_BYTES, (long) (rows * TeraSort.ROW_BYTES * EDGES * TEMP_FACTOR));
  }

  @Override
  public void prepare(Setting setting, Jobs jobs) {}

  @Override
  public TrialOutcome run(TrialRun trial) throws IOException, InterruptedException {
    TezSite tez = new TezSite(trial.jobs().ownCluster());
    long each = rows / RowsClient.GENERATORS;
    TezSite.Session session =
        tez.run(trial.output() + "-", each, 1, trial.jobs().deadlineSeconds(), conf(trial));
    String state =
        session.dags().isEmpty()
            ? "NOT RUN: " + session.log().stream().reduce((first, last) -> last).orElse("")
            : session.dags().get(0).get(0);
    return new TrialOutcome(
        session.exitCode() == 0 && state.equals(TrialOutcome.FINE),
        state,
        session.dagSeconds(),
        session.failedAttempts(),
        session.counter("CPU_MILLISECONDS") / 1e3,
        session.placed(),
        Map.of());
  }

  /** Tez's defaults, but for memory, and for fetches, which go over the network as to any node. */
  private static Map<String, String> conf(TrialRun trial) {
    Map<String, String> conf = new HashMap<>(trial.armProperties());
    conf.put("tez.task.resource.memory.mb", Integer.toString(TASK_MIB));
    conf.put("tez.task.launch.cmd-opts", TASK_OPTS);
    // Rows of a task are some such buffers, so that it spills and merges as a large one does.
    conf.put("tez.runtime.io.sort.mb", "50");
    conf.put("tez.runtime.unordered.output.buffer.size-mb", "50");
    conf.put("tez.runtime.io.sort.factor", "100");
    conf.put("tez.runtime.shuffle.fetch.buffer.percent", "0.9");
    conf.put("tez.runtime.shuffle.memory.limit.percent", "0.25");
    conf.put("tez.runtime.optimize.local.fetch", "false");
    return conf;
  }

  /** Whether both edges brought all rows: sorted ones are in order, or their task fails. */
  @Override
  public boolean validate(TrialRun trial) throws IOException {
    List<String> report = trial.jobs().cluster().lines(trial.output() + "-0");
    long made = rows / RowsClient.GENERATORS * RowsClient.GENERATORS;
    long sum = Rows.checksum(made);
    return List.of(RowsTasks.SORTED, RowsTasks.SUMMED).stream()
        .allMatch(edge -> total(report, edge, 2) == made && total(report, edge, 3) == sum);
  }

  private static long total(List<String> report, String edge, int field) {
    return report.stream()
        .filter(line -> line.startsWith(edge + " "))
        .mapToLong(line -> Long.parseLong(line.split(" ", -1)[field]))
        .sum();
  }
}
