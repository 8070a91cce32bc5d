// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import io.temptier.lab.cluster.JobResult;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What came of what was measured in a trial.
 *
 * @param state {@link #FINE}, or that of the first job that did not, or why the trial does not
 *     count
 * @param figures of the workload's own, by {@link Figure#name}
 */
public record TrialOutcome(
    boolean succeeded,
    String state,
    double seconds,
    int failedTasks,
    double cpuSeconds,
    Map<String, Long> counters,
    Map<String, Double> figures) {
  public static final String FINE = "SUCCEEDED";

  public TrialOutcome {
    counters = new TreeMap<>(counters);
    figures = new TreeMap<>(figures);
  }

  /** Of one job, compared by its time from its start to its end. */
  public static TrialOutcome of(JobResult job) {
    return of(List.of(job), seconds(job), Map.of());
  }

  public static TrialOutcome of(List<JobResult> jobs, double seconds, Map<String, Double> figures) {
    Map<String, Long> counters = new TreeMap<>();
    for (JobResult job : jobs) {
      job.placed().forEach((name, value) -> counters.merge(name, value, Long::sum));
    }
    return new TrialOutcome(
        jobs.stream().allMatch(JobResult::succeeded),
        jobs.stream()
            .filter(job -> !job.succeeded())
            .map(JobResult::state)
            .findFirst()
            .orElse(FINE),
        seconds,
        jobs.stream().mapToInt(JobResult::failedAttempts).sum(),
        jobs.stream()
                .mapToLong(
                    job ->
                        job.counter("org.apache.hadoop.mapreduce.TaskCounter", "CPU_MILLISECONDS"))
                .sum()
            / 1e3,
        counters,
        figures);
  }

  public TrialOutcome with(Map<String, Double> more) {
    Map<String, Double> all = new TreeMap<>(figures);
    all.putAll(more);
    return new TrialOutcome(succeeded, state, seconds, failedTasks, cpuSeconds, counters, all);
  }

  /** Adds what came of another job: its failures, CPU and counters. */
  public TrialOutcome beside(TrialOutcome other) {
    Map<String, Long> all = new TreeMap<>(counters);
    other.counters.forEach((name, value) -> all.merge(name, value, Long::sum));
    return new TrialOutcome(
        succeeded && other.succeeded,
        succeeded ? other.state : state,
        seconds,
        failedTasks + other.failedTasks,
        cpuSeconds + other.cpuSeconds,
        all,
        figures);
  }

  public TrialOutcome failed(String why) {
    return new TrialOutcome(false, why, seconds, failedTasks, cpuSeconds, counters, figures);
  }

  /** This, or a failure of such a state unless all is well. */
  public TrialOutcome failedUnless(boolean well, String why) {
    return well || !succeeded ? this : failed(why);
  }

  /** A job's time as the JobHistoryServer knows it, or its client's where that does not. */
  public static double seconds(JobResult job) {
    return job.jobSeconds() > 0 ? job.jobSeconds() : job.seconds();
  }
}
