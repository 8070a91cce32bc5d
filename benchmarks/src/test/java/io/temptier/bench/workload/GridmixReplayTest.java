// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.temptier.bench.experiment.TrialOutcome;
import io.temptier.bench.workload.GridmixReplay.TraceSummary;
import io.temptier.lab.cluster.JobResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GridmixReplayTest {
  private static final long MIB = 1 << 20;
  private static final GridmixReplay REPLAY =
      new GridmixReplay(
          "/trace.json",
          128 * MIB,
          new TraceSummary(2, 5, 3, 600 * MIB, 300 * MIB, 150 * MIB, 200 * MIB));

  @TempDir private Path dir;

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
  void noMoreTempDataIsReckonedWithThanJobsAtOnceHave() {
    assertEquals((long) (300 * MIB * 2.1), REPLAY.volume().temp());
    TraceSummary many = new TraceSummary(90, 900, 90, 9000 * MIB, 9000 * MIB, 900 * MIB, 100 * MIB);
    assertEquals((long) (500 * MIB * 2.1), new GridmixReplay("", MIB, many).volume().temp());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void onlyWhatGridmixReplaysIsCopiedAndCounted(boolean own) throws IOException {
    String job =
        "{\"jobID\":\"job_1_0001\",\"submitTime\":1,\"outcome\":\"SUCCESS\",\"totalMaps\":1}";
    Path users =
        Files.writeString(
            dir.resolve("users.json"),
            job
                + job.replace("SUCCESS", "KILLED")
                + job.replace("totalMaps\":1", "totalMaps\":0")
                + job.replace("0001", "0004"));
    String trace = own ? users.toString() : "gridmix.trace";
    GridmixReplay asked = new GridmixReplay(trace, MIB, TraceSummary.NOTHING);
    GridmixReplay begun = (GridmixReplay) asked.begun(TrialsOf.plan("gridmix", 1), dir);
    assertEquals(own ? 2 : 11, begun.summary().jobs());
    assertEquals(own ? 0 : 29, begun.summary().maps());
    assertEquals(own ? 2 : 11, Files.readAllLines(Path.of(begun.trace())).size());
  }

  private static void assertFailed(String state, JobResult.Batch batch) {
    TrialOutcome outcome = REPLAY.outcome(batch);
    assertFalse(outcome.succeeded());
    assertEquals(state, outcome.state());
  }

  private static JobResult.Batch batch(int code, JobResult... jobs) {
    return new JobResult.Batch(code, 77, List.of(jobs), List.of());
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
