// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.bench.report.Goal;
import io.temptier.bench.testbed.DiskSpeed;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ShuffleJsonTest {
  private static final ShuffleResult RESULT = result();

  @Test
  void armsHaveMediansMemoryAndRounds() {
    JsonNode arm = ShuffleJson.of(RESULT).path("arms").path(0);
    assertEquals("stock", arm.path("name").asText());
    assertEquals("mixed", arm.path("scenario").asText());
    assertEquals(1, arm.path("p50Millis").asDouble());
    assertEquals(2, arm.path("p99Millis").asDouble());
    assertEquals(0.1235, arm.path("p999Millis").asDouble());
    assertEquals(25, arm.path("fetchesPerSecond").asDouble(), "the median of 2 rounds");
    assertEquals(2.5, arm.path("mbPerSecond").asDouble());
    assertEquals(
        (0.5e6 / 25 + 0.5e6 / 35) / 2,
        arm.path("cpuMicrosPerFetch").asDouble(),
        1e-3,
        "of all fetches, those from the slow disk included");
    assertEquals(30_000, arm.path("peakMemoryBytes").asLong(), "the most of any round");
    assertEquals(0.5, arm.path("slow").path("mbPerSecond").asDouble());
    assertEquals(25, arm.path("slowDisk").path("readRequests").asLong());
    assertEquals(25 << 20, arm.path("slowDisk").path("readBytes").asLong());
    assertEquals(2, arm.path("rounds").size());
    assertEquals(20, arm.path("rounds").path(0).path("fetchesPerSecond").asDouble());
  }

  @Test
  void goalsThatWereNotMeasuredAreNeitherMetNorMissed() {
    JsonNode goals = ShuffleJson.of(RESULT).path("goals");
    assertEquals("a", goals.path(0).path("id").asText());
    assertEquals("more", goals.path(0).path("goal").asText());
    assertEquals(1.5, goals.path(0).path("measured").asDouble());
    assertTrue(goals.path(0).path("met").isBoolean());
    assertTrue(goals.path(0).path("met").asBoolean());
    assertTrue(goals.path(1).path("measured").isNull());
    assertTrue(goals.path(1).path("met").isNull());
  }

  @Test
  void theRestSaysHowItWasMeasured() {
    JsonNode root = ShuffleJson.of(RESULT);
    assertEquals("no root", root.path("skipped").asText());
    assertEquals("X", root.path("handlers").path("stock").asText());
    assertEquals("tmpfs", root.path("disks").path("fast").asText());
    assertEquals(8, root.path("plan").path("slowFetchers").asInt());
    assertEquals(128 << 20, root.path("plan").path("passBytes").asLong());
    assertEquals("./temptier bench shuffle", root.path("facts").path("command").asText());
  }

  @Test
  void theTextShowsTheSame() {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    ShuffleText.plan(out, RESULT.plan(), RESULT.handlers(), RESULT.disks());
    ShuffleText.result(out, RESULT);
    out.flush();
    String shown = text.toString();
    assertTrue(shown.contains("4 fetchers on the fast disk, 8 on the slow one"), shown);
    assertTrue(
        shown
            .lines()
            .anyMatch(line -> line.matches(" +mixed, fast disk +stock +25\\.0 +2\\.50 .*")),
        shown);
    assertTrue(shown.lines().anyMatch(line -> line.matches(" +more +1\\.50 x +met")), shown);
    assertTrue(shown.lines().anyMatch(line -> line.matches(" +less +- +not measured")), shown);
    assertTrue(shown.contains("every segment fetched exactly once, cold (128 MiB by 8"), shown);
    assertTrue(
        shown.contains("mixed, stock: the slow disk read 25 MiB in 25 requests of 1 MiB"), shown);
    assertFalse(shown.contains("  all-fast: "), "not measured: " + shown);
    assertTrue(shown.contains("No scenario with a slow disk: no root"), shown);
    assertFalse(shown.contains("NaN"), shown);
  }

  private static ShuffleResult result() {
    return new ShuffleResult(
        new ShufflePlan(
            List.of(Scenario.MIXED, Scenario.ALL_SLOW),
            4,
            8,
            4,
            2,
            Duration.ofSeconds(2),
            Duration.ofMillis(7500),
            64,
            128,
            16,
            new DiskSpeed(30, 40)),
        Map.of("stock", "X"),
        List.of(Arms.of("stock", Scenario.MIXED, 0.123456, 20, 30)),
        List.of(Goal.atLeast("a", "more", 1.5, 1), Goal.below("b", "less", null, 10)),
        Map.of("fast", "tmpfs"),
        "no root",
        Map.of("command", "./temptier bench shuffle"));
  }
}
