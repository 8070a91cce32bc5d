// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.gridmix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.experiment.Arm;
import io.temptier.bench.experiment.Trial;
import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.gridmix.GridmixReplay.Policy;
import io.temptier.bench.jobs.Experiment;
import io.temptier.bench.jobs.JobPlan;
import io.temptier.bench.jobs.NodeSetting;
import io.temptier.bench.jobs.TrialsOf;
import io.temptier.bench.node.NodeProfile;
import io.temptier.bench.report.Goal;
import io.temptier.bench.trace.TraceSummary;
import io.temptier.lab.cluster.BatchResult;
import io.temptier.lab.cluster.JobResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class GridmixReplayTest {
  private static final long MIB = 1 << 20;
  private static final GridmixReplay REPLAY = replay(NodeProfile.TWITTER_LIKE);

  private static GridmixReplay replay(NodeProfile profile) {
    TraceSummary summary = new TraceSummary(2, 5, 3, 600 * MIB, 300 * MIB, 150 * MIB, 200 * MIB);
    return new GridmixReplay(profile, "/trace.json", summary, Policy.STRESS, 128 * MIB);
  }

  @Test
  void aReplayOfAllJobsAndBytesSucceeds() {
    TrialOutcome outcome =
        REPLAY.outcome(batch(0, job("SUCCEEDED", 0, 200 * MIB), job("SUCCEEDED", 2, 101 * MIB)));
    assertTrue(outcome.succeeded(), outcome::state);
    assertEquals(77, outcome.seconds());
    assertEquals(2, outcome.failedTasks());
    assertEquals(Map.of("NVME_BYTES", 14L), outcome.counters());
    assertEquals(301.0, outcome.figures().get("shuffled-mib"));
    assertEquals(30.0, outcome.figures().get("mean-job-seconds"));
    assertEquals(0.0, outcome.figures().get("failed-jobs"));
  }

  @Test
  void jobsThatFailedOrWereNeverSubmittedAreSaid() {
    assertFailed(
        "1 OF 2 JOBS FAILED",
        batch(0, job("SUCCEEDED", 0, 300 * MIB), job("FAILED", 4, 100 * MIB)));
    assertFailed("1 OF 2 JOBS FAILED", batch(0, job("SUCCEEDED", 0, 300 * MIB)));
    assertFailed("2 OF 2 JOBS FAILED", batch(3));
    assertFailed(
        "GRIDMIX ENDED WITH -1",
        batch(-1, job("SUCCEEDED", 0, 200 * MIB), job("SUCCEEDED", 0, 100 * MIB)));
  }

  @Test
  void jobsThatDoNotWriteTheTracesBytesFail() {
    assertFailed(
        "150 MIB OF 300 SHUFFLED",
        batch(0, job("SUCCEEDED", 0, 100 * MIB), job("SUCCEEDED", 0, 50 * MIB)));
  }

  @Test
  void jobsAtOnceKeepTheTasksBusy() {
    NodeSetting setting = NodeSetting.of("some", 3, NodeSetting.FITS);
    assertEquals(2, REPLAY.jobsAtOnce(setting.withTasks(2)));
    assertEquals(4, REPLAY.jobsAtOnce(setting.withTasks(10)));
    assertEquals(5, REPLAY.jobsAtOnce(setting.withTasks(100)));
  }

  @Test
  void noMoreTempDataIsReckonedWithThanJobsAtOnceHave() {
    assertEquals((long) (300 * MIB * 2.1), REPLAY.tempBytes());
    TraceSummary many = new TraceSummary(90, 900, 90, 9000 * MIB, 9000 * MIB, 900 * MIB, 100 * MIB);
    assertEquals(
        (long) (500 * MIB * 2.1),
        new GridmixReplay(NodeProfile.TWITTER_LIKE, "", many, Policy.STRESS, MIB).tempBytes());
  }

  @Test
  void theGoalIsThatOfTheProfile() {
    assertGoal(NodeProfile.TWITTER_LIKE, 0.72, true);
    assertGoal(NodeProfile.TWITTER_LIKE, 0.73, false);
    assertGoal(NodeProfile.INTEL_LAB_LIKE, 0.48, true);
    assertGoal(NodeProfile.INTEL_LAB_LIKE, 0.50, false);
  }

  @Test
  void aPlanIsKeptAsJson() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    assertEquals(REPLAY, mapper.readValue(mapper.writeValueAsString(REPLAY), GridmixReplay.class));
  }

  private static void assertGoal(NodeProfile profile, double ratio, boolean met) {
    Experiment experiment =
        new Experiment(
            "gridmix",
            "gridmix",
            "?",
            List.of(NodeSetting.of(profile.label(), profile.hdds(), NodeSetting.FITS)),
            List.of(Arm.STOCK_HDD, Arm.TEMPTIER),
            replay(profile));
    JobPlan plan = TrialsOf.plan(experiment, 1);
    List<Trial> trials =
        new ArrayList<>(TrialsOf.round(plan, profile.label(), 1, 100, 100 * ratio));
    Goal goal = plan.workload().goals(TrialsOf.result(plan, trials)).get(0);
    assertEquals(met, goal.met(), goal::toString);
    assertEquals(ratio, goal.measured() == null ? 0 : goal.measured(), 1e-9);
  }

  private static void assertFailed(String state, BatchResult batch) {
    TrialOutcome outcome = REPLAY.outcome(batch);
    assertFalse(outcome.succeeded());
    assertEquals(state, outcome.state());
  }

  private static BatchResult batch(int code, JobResult... jobs) {
    return new BatchResult(code, 77, List.of(jobs), List.of());
  }

  private static JobResult job(String state, int failedAttempts, long shuffled) {
    Map<String, Map<String, Long>> counters =
        Map.of(
            "org.apache.hadoop.mapreduce.TaskCounter",
            Map.of("MAP_OUTPUT_MATERIALIZED_BYTES", shuffled),
            "org.apache.hadoop.mapreduce.FileSystemCounter",
            Map.of("TEMPTIER-NVME_BYTES_WRITTEN", 7L));
    return TrialsOf.job(state, 30, failedAttempts, counters, List.of());
  }
}
