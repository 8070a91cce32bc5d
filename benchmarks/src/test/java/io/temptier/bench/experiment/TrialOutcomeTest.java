// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.jobs.TrialsOf;
import io.temptier.lab.cluster.JobResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TrialOutcomeTest {
  @Test
  void oneJobIsComparedByItsOwnTime() {
    TrialOutcome outcome = TrialOutcome.of(job("SUCCEEDED", 8, 2));
    assertTrue(outcome.succeeded());
    assertEquals(8, outcome.seconds());
    assertEquals(2, outcome.failedTasks());
    assertEquals(12, TrialOutcome.of(job("NO HISTORY", 0, 0)).seconds());
  }

  @Test
  void ofSeveralTheFirstFailureCounts() {
    TrialOutcome outcome =
        TrialOutcome.of(
            List.of(job("SUCCEEDED", 1, 1), job("KILLED", 1, 2), job("FAILED", 1, 4)),
            5,
            Map.of("x", 1.5));
    assertFalse(outcome.succeeded());
    assertEquals("KILLED", outcome.state());
    assertEquals(7, outcome.failedTasks());
    assertEquals(Map.of("NVME_BYTES", 30L), outcome.counters());
    assertEquals("KILLED", outcome.failedUnless(false, "SHORT").state());
  }

  @Test
  void successMayBeTakenBack() {
    TrialOutcome outcome = TrialOutcome.of(job("SUCCEEDED", 1, 0));
    assertEquals(outcome, outcome.failedUnless(true, "SHORT"));
    assertEquals("SHORT", outcome.failedUnless(false, "SHORT").state());
    assertFalse(outcome.failedUnless(false, "SHORT").succeeded());
  }

  private static JobResult job(String state, double seconds, int failed) {
    Map<String, Long> placed = Map.of("TEMPTIER-NVME_BYTES_WRITTEN", 10L, "FILE_BYTES_WRITTEN", 5L);
    return TrialsOf.job(
        state,
        seconds,
        failed,
        Map.of("org.apache.hadoop.mapreduce.FileSystemCounter", placed),
        List.of());
  }
}
