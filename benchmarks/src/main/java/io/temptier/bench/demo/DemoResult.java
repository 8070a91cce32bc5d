// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.bench.cluster.JobResult;
import io.temptier.tier.Medium;
import java.util.List;
import java.util.Map;

/**
 * What was measured.
 *
 * @param plan what was to be done
 * @param validated whether the sorted data is the input, sorted
 * @param validation how that is known, in words
 * @param jobs every job, in order
 * @param sort the job whose temporary data is looked at
 * @param tiers files and bytes that its tasks placed, by the job's own counters
 * @param spilledDown those of them that a faster tier refused
 * @param phases where the bytes went, by phase and tier
 * @param refusals why tiers refused files
 * @param samples bytes on the tiers over time
 * @param marks when each job began, in seconds of the samples
 * @param nodeMetrics TempTier's beans of each NodeManager, one array per node
 * @param facts machine, versions, command: what, and its value
 */
record DemoResult(
    DemoPlan plan,
    boolean validated,
    String validation,
    List<JobResult> jobs,
    JobResult sort,
    Map<Medium, Tally> tiers,
    Tally spilledDown,
    Map<Phase, Map<Medium, Tally>> phases,
    Map<Ledger.Refused, Tally> refusals,
    List<TierSample> samples,
    Map<String, Double> marks,
    List<JsonNode> nodeMetrics,
    Map<String, String> facts) {

  DemoResult {
    jobs = List.copyOf(jobs);
    samples = List.copyOf(samples);
    nodeMetrics = List.copyOf(nodeMetrics);
  }

  /** Attempts of tasks that failed, of all jobs. */
  int failedTasks() {
    return jobs.stream().mapToInt(JobResult::failedAttempts).sum();
  }
}
