// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.bench.OtherJvm;
import io.temptier.bench.workload.GridmixReplay.TraceSummary;
import io.temptier.fixtures.Needs.NeedsSlowDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user's trace of jobs so small that their times say nothing. */
@NeedsSlowDisk
final class GridmixBenchIT {
  private static final long MIB = 1 << 20;

  @TempDir private Path dir;

  @Test
  void aTraceIsReplayedAndTold() throws Exception {
    Path trace = Path.of("src/test/resources/gridmix-small.trace").toAbsolutePath();
    TraceSummary jobs = TraceSummary.copyReplayable(trace.toString(), dir.resolve("copy"));
    assertTrue(jobs.jobs() >= 2 && jobs.reduces() >= 2, jobs::toString);
    JsonNode report =
        OtherJvm.bench(
            dir,
            "gridmix --rounds=1 --arms=temptier --set=block=8m --set=slowMbps=200"
                + " --set=slowIops=2000 --set=trace="
                + trace);
    check(report, jobs);
    Path page = dir.resolve(OtherJvm.REPORT).resolve("report.html");
    assertTrue(Files.readString(page).contains("Gridmix replays " + jobs));
  }

  private static void check(JsonNode report, TraceSummary jobs) {
    assertEquals(1, report.path("arms").size(), report::toPrettyString);
    JsonNode arm = report.path("arms").path(0);
    assertEquals(0, arm.path("failed-jobs").asInt(-1), arm::toPrettyString);
    double shuffled = (double) jobs.shuffleBytes() / MIB;
    assertEquals(shuffled, arm.path("shuffled-mib").asDouble(), shuffled / 10);
    JsonNode counters = report.path("trials").path(0).path("counters");
    assertTrue(counters.path("NVME_BYTES").asLong() > jobs.shuffleBytes() / 2, counters::toString);
    JsonNode goals = report.path("goals");
    assertTrue(goal(goals, "gridmix-vs-hdd").path("measured").isNull(), goals::toString);
    assertTrue(goal(goals, "gridmix-failed-tasks").path("met").asBoolean(), goals::toString);
  }

  private static JsonNode goal(JsonNode goals, String id) {
    for (JsonNode goal : goals) {
      if (goal.path("id").asText().equals(id)) {
        return goal;
      }
    }
    throw new AssertionError(id + " is not among " + goals);
  }
}
