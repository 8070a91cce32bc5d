// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.bench.experiment.Trial.TrialId;
import io.temptier.bench.workload.TrialsOf;
import io.temptier.lab.cluster.JobResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunFolderTest {
  @TempDir private Path dir;

  private final Plan plan = TrialsOf.plan(TrialsOf.SCARCE, 2);

  @Test
  void aRunIsTakenUpWhereItWasLeft() throws IOException {
    RunFolder folder = open(plan, "x", false);
    Trial trial = TrialsOf.trial("1/2", 2, TrialsOf.TEMPTIER, 90);
    folder.add(trial);
    assertTrue(folder.note("an HDD", "slow"));
    RunFolder again = open(TrialsOf.plan(TrialsOf.SCARCE, 2), "y", true);
    assertEquals(Map.of("command", "x", "an HDD", "slow"), again.facts());
    assertEquals(List.of("command", "an HDD"), List.copyOf(again.facts().keySet()));
    assertTrue(!again.note("an HDD", "slower"));
    assertEquals(Optional.of(trial), again.trial(trial.id()));
    assertTrue(again.trial(new TrialId("1/4", 2, TrialsOf.TEMPTIER)).isEmpty());
  }

  @Test
  void aTrialIsAFileToComputeWith() throws IOException {
    Trial trial = TrialsOf.trial("1/2", 2, TrialsOf.TEMPTIER, 90);
    open(plan, "x", false).add(trial);
    Path file = dir.resolve("trials/1-2-2-temptier.json");
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertEquals(90, json.path("outcome").path("seconds").asInt());
    JsonNode moment = json.path("moments").path(0);
    assertEquals(0.5, moment.path("cpu").asDouble());
    assertEquals(2, moment.path("disks").path("hdd0").path("writtenMbps").asDouble());
    assertEquals(100, moment.path("tempBytes").path("fast").asLong());
  }

  @Test
  void aFolderHoldsOneRun() throws IOException {
    open(plan, "./temptier bench run x", false);
    String holds = refused(plan, false);
    assertTrue(holds.contains("x, with --resume " + dir), holds);
    String other = refused(TrialsOf.plan(TrialsOf.SCARCE, 3), true);
    assertTrue(other.contains("by another plan"), other);
  }

  private String refused(Plan another, boolean resumes) {
    return String.valueOf(
        assertThrows(IOException.class, () -> open(another, "y", resumes)).getMessage());
  }

  private RunFolder open(Plan wanted, String command, boolean resumes) throws IOException {
    return new RunFolder(dir, wanted, new HashMap<>(Map.of("command", command)), resumes);
  }

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
