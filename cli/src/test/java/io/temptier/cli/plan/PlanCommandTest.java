// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.cli.Golden;
import io.temptier.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PlanCommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--nodes=0 | --nodes=0 is less than 1",
        "--fast=1g,x | --fast",
        "--fast=0 | --fast=0 is nothing",
        "-Dtemptier.reserve=200% | temptier.reserve",
        "-Dtemptier.demotion.high=x | temptier.demotion.high",
        "-Dtemptier.fill-limits=batch=50% | temptier.fill-limits",
        "--dwpd=0 | --dwpd=0.0 is not above 0",
        "--policy=BEST | BEST",
        "-Dmapreduce.x=1 | is not temptier.something=value"
      })
  void wrongOptionsAreRefusedWithTheirValue(String option, String message) {
    Run run = Run.of("plan", option);
    assertEquals(2, run.code(), run::toString);
    assertTrue(run.err().contains(message), run::toString);
  }

  @Test
  void aTraceThatIsNotThereIsAFailure(@TempDir Path temp) {
    Path none = temp.resolve("none.json");
    Run run = Run.of("plan", "--trace", none.toString());
    assertEquals(1, run.code());
    assertTrue(run.err().contains(none + " is not there. Name a folder"), run::toString);
  }

  @Test
  void jsonSaysTheSame() throws IOException {
    Run run =
        fine(
            "plan --nodes=2 --tasks=100 --fast=1g,64g --present=1g --dwpd=9 --json=-"
                .split(" ", -1));
    Golden.assertMatches("plan.json", run.out());
  }

  @Test
  void theRecommendedSizeIsMarked() {
    Run run = fine("plan", "--nodes=5", "--tasks=2000", "--fast=1g,64g", "--dwpd=100");
    assertTrue(
        run.out().lines().anyMatch(line -> line.matches(" *-> +64\\.0 +100\\.0 % .*")),
        run::toString);
    assertTrue(run.out().contains("95th percentile"), run::toString);
  }

  /** 64 GiB have room enough, and are written over 50 times a day. */
  @Test
  void aSizeThatWearsOutInWeeksIsNotEnough() throws IOException {
    String[] options = {"plan", "--nodes=5", "--tasks=2000", "--fast=1g,64g"};
    Run run = fine(options);
    assertTrue(
        run.out().startsWith("None of these sizes has room enough and lasts"), run::toString);
    assertTrue(
        run.out()
            .replaceAll("\\s+", " ")
            .matches(".* 64 GiB has room enough and wears out in \\d+ weeks.*"),
        run::toString);
    JsonNode larger = json("--nodes=5", "--tasks=2000", "--fast=1g,64g,16t");
    assertEquals(16L << 40, larger.path("recommendedBytes").asLong(), larger::toString);
    assertFalse(larger.at("/sizes/1/lasts").asBoolean(), larger::toString);
  }

  @Test
  void tablesFit80ColumnsUnlessTheyAreToBeWide() {
    Run run = fine("plan", "--nodes=5", "--tasks=2000");
    assertTrue(run.out().lines().allMatch(line -> line.length() <= 80), run::toString);
    assertFalse(run.out().contains("holds the 95th percentile"), run::toString);
    Run wide = fine("plan", "--nodes=5", "--tasks=2000", "--wide");
    assertTrue(wide.out().contains("jobs wholly on it"), wide::toString);
  }

  @Test
  void whatMoreThanThePresentDiskWouldGainIsSaid() {
    Run small =
        fine("plan", "--nodes=5", "--tasks=2000", "--fast=64g", "--present=1g", "--dwpd=99");
    String gain = small.out().replaceAll("\\s+", " ");
    assertTrue(gain.contains("The present 1 GiB spills "), small::toString);
    assertTrue(gain.contains("64 GiB would spill 0 B (0.0 %)"), small::toString);
    Run enough =
        fine("plan", "--nodes=5", "--tasks=2000", "--fast=64g", "--present=128g", "--dwpd=99");
    String none = enough.out().replaceAll("\\s+", " ");
    assertTrue(none.contains("more of it would gain next to nothing"), enough::toString);
    assertEquals(2, Run.of("plan", "--present=much").code());
  }

  @Test
  void theJsonHasTheSizes() throws IOException {
    JsonNode result = json("--nodes=5", "--tasks=2000", "--fast=1g,64g", "--dwpd=100");
    assertEquals(64L << 30, result.path("recommendedBytes").asLong());
    assertEquals(2, result.path("sizes").size());
    double share = result.path("sizes").path(0).path("hitShare").asDouble();
    assertTrue(share > 0 && share < 1, () -> "hit share " + share);
    assertTrue(
        result.path("nodeTempBytes").path("p95").asLong()
            <= result.path("nodeTempBytes").path("p99").asLong());
  }

  @Test
  void aTraceSaysHowManyNodesAndItsDaysCanBeChosen(@TempDir Path temp) throws IOException {
    Path trace = Files.writeString(temp.resolve("t.json"), job(1, 2, "a") + job(2, 9, "b"));
    JsonNode all = json("--trace=" + trace, "--fast=1g");
    assertEquals(2, all.path("nodes").asInt());
    assertEquals(2, all.path("jobs").asInt());
    JsonNode later = json("--trace=" + trace, "--fast=1g", "--since=2026-03-05");
    assertEquals(1, later.path("nodes").asInt());
    assertEquals(1, later.path("jobs").asInt());
    JsonNode earlier = json("--trace=" + trace, "--fast=1g", "--until=2026-03-05", "--nodes=7");
    assertEquals(7, earlier.path("nodes").asInt());
    assertEquals(1, earlier.path("jobs").asInt());
    assertEquals(
        "2026-03-02T12:00:00Z", Instant.ofEpochMilli(all.path("fromMillis").asLong()).toString());
    Path hostless = Files.writeString(temp.resolve("h.json"), job(1, 2, "").replace("/rack/", ""));
    Run unknown = Run.of("plan", "--trace=" + hostless);
    assertEquals(2, unknown.code(), unknown::toString);
    assertTrue(unknown.err().contains("names no host: say --nodes"), unknown::toString);
    Run wrong = Run.of("plan", "--since=2026-03-05");
    assertEquals(2, wrong.code(), wrong::toString);
    assertTrue(wrong.err().contains("--trace"), wrong::toString);
  }

  @Test
  void historiesLieInAnyFileSystemOfHadoops(@TempDir Path temp) throws IOException {
    Files.writeString(temp.resolve("job_1_0001-1772400000000-ann-sort-0.jhist"), "no history");
    Run run = Run.of("plan", "--trace=" + temp.toUri(), "--fast=1g");
    assertEquals(1, run.code(), run::toString);
    assertTrue(run.err().contains("job_1_0001"), run::toString);
    Run none = Run.of("plan", "--trace=" + temp.toUri(), "--fast=1g", "--until=2026-01-01");
    assertEquals(1, none.code(), none::toString);
    assertTrue(none.err().contains("there is no job in the trace"), none::toString);
  }

  /** One map on a day of March 2026, at noon UTC. */
  private static String job(int number, int day, String host) {
    long noon = Instant.parse("2026-03-0" + day + "T12:00:00Z").toEpochMilli();
    return """
    {"jobID": "job_1_000%d", "user": "ann", "submitTime": %d, "mapTasks": [{"attempts": [{
      "result": "SUCCESS", "startTime": %d, "finishTime": %d, "mapOutputBytes": 1000, "hostName": "%s"}]}]}
    """
        .formatted(number, noon, noon, noon + 60_000, "/rack/" + host);
  }

  @Test
  void limitsByUserAndKindAreTriedOnATrace(@TempDir Path temp) throws IOException {
    String reduce =
        "]}], \"reduceTasks\": [{\"attempts\": [{\"result\": \"SUCCESS\","
            + " \"reduceShuffleBytes\": 1000}]}]}";
    Path trace = Files.writeString(temp.resolve("t.json"), job(1, 2, "a").replace("]}]}", reduce));
    String[] limits = {
      "user:ann=0%", "user:bob=0%", "user:*=0%", "kind:map_output=0%", "kind:SPILL=0%"
    };
    double[] hits = {0, 1, 0, 0, 1};
    for (int i = 0; i < limits.length; i++) {
      JsonNode plan = json("--trace=" + trace, "--fast=1g", "-Dtemptier.fill-limits=" + limits[i]);
      assertEquals(hits[i], plan.at("/sizes/0/hitShare").asDouble(), limits[i]);
    }
  }

  @Test
  void stockTakesDisksInTurn() throws IOException {
    JsonNode result = json("--nodes=1", "--tasks=1000", "--fast=1t", "--policy=round_robin");
    assertEquals("ROUND_ROBIN", result.path("policy").asText());
    assertEquals(0.5, result.path("sizes").path(0).path("hitShare").asDouble(), 0.1);
  }

  @Test
  void fromTooLittleNothingIsRecommended() throws IOException {
    Run run = fine("plan", "--nodes=1000", "--tasks=5", "--fast=1g");
    assertTrue(run.out().contains("No size is recommended"), run::toString);
    JsonNode result = json("--nodes=1000", "--tasks=5", "--fast=1g");
    assertTrue(result.path("recommendedBytes").isNull(), result::toString);
    assertTrue(result.path("tooLittleData").asBoolean(), result::toString);
  }

  private static JsonNode json(String... options) throws IOException {
    String[] args = new String[options.length + 2];
    args[0] = "plan";
    args[1] = "--json=-";
    System.arraycopy(options, 0, args, 2, options.length);
    return new ObjectMapper().readTree(fine(args).out());
  }

  private static Run fine(String... args) {
    Run run = Run.of(args);
    assertEquals(0, run.code(), run::toString);
    return run;
  }
}
