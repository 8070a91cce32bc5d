// SPDX-License-Identifier: Apache-2.0
package io.temptier.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.temptier.cli.Run;
import io.temptier.fixtures.StableNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PlanCommandTest {
  private static final long GB = 1L << 30;

  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--fast=1g,x | --fast",
        "--fast=0 | --fast=0 is nothing",
        "-Dtemptier.reserve=200% | temptier.reserve",
        "-Dtemptier.demotion.high=x | temptier.demotion.high",
        "-Dtemptier.fill-limits=batch=50% | temptier.fill-limits",
        "--since=much | --since",
        "-Dmapreduce.x=1 | -D mapreduce.x is no property that counts",
        "-Dtemptier.reserv=5% | -D temptier.reserv is no property that counts",
        "-Dtemptier.large-size=1g | -D temptier.large-size is no property that counts"
      })
  void wrongOptionsAreRefusedWithTheirValue(String option, String message) {
    Run.of("plan", "--trace=" + temp, option).misused(message);
  }

  @Test
  void aPlanNeedsATraceThatIsThere() {
    Run.of("plan").misused("--trace");
    Path none = temp.resolve("none");
    Run.of("plan", "--trace", none.toString()).failed(none + " is not there. Name a folder");
    Run.of("plan", "--trace", "://").failed("the plan cannot be made: ").lacks("--debug");
  }

  @Test
  void jsonSaysTheSame() throws IOException {
    job(1, at(2), "ann", 20 * GB, "a", "b");
    job(2, at(3), "bob", 40 * GB, "b");
    Run run = fine("--fast=16g,256g", "--json=-");
    Run.golden("plan.json", run.out().replace(temp.toString(), "TRACE"));
    StableNames.checkJson("plan", run.out(), PlanCommandTest.class);
  }

  @Test
  void theRecommendedSizeIsMarked() throws IOException {
    job(1, at(2), "ann", 20 * GB, "a", "b");
    job(2, at(4), "ann", 20 * GB, "a");
    Run run = fine("--fast=16g,64g");
    assertTrue(run.out().startsWith("-> 64 GiB: the smallest of these"), run::toString);
    assertTrue(
        run.out().lines().anyMatch(line -> line.matches(" *-> +64\\.0 +100\\.0 % .*")),
        run::toString);
    run.says("at a time: at most 20 GiB.");
    assertTrue(run.out().lines().allMatch(line -> line.length() <= 80), run::toString);
  }

  @Test
  void someMinutesTellNothingOfDays() throws IOException {
    job(1, at(2), "ann", 37 * GB, "a");
    Run run = fine("--fast=16g,64g").says("64 GiB: the smallest of these that spills no");
    assertTrue(
        run.out().lines().anyMatch(line -> line.matches(" *-> +64\\.0 .* - +-")), run::toString);
  }

  @Test
  void aTraceSaysHowManyNodesAndItsDaysCanBeChosen() throws IOException {
    job(1, at(2), "ann", 1000, "a");
    job(2, at(9), "ann", 1000, "b");
    JsonNode all = json("--fast=1g");
    assertEquals(2, all.path("nodes").asInt());
    assertEquals(2, all.path("jobs").asInt());
    assertEquals(at(2).toEpochMilli(), all.path("fromMillis").asLong());
    JsonNode later = json("--fast=1g", "--since=2026-03-05");
    assertEquals(1, later.path("nodes").asInt());
    assertEquals(at(9).toEpochMilli(), later.path("fromMillis").asLong());
    JsonNode earlier = json("--fast=1g", "--until=2026-03-05");
    assertEquals(at(2).toEpochMilli(), earlier.path("fromMillis").asLong());
    assertEquals(1, earlier.path("jobs").asInt());
  }

  @Test
  void historiesLieInAnyFileSystemOfHadoops() throws IOException {
    Files.writeString(temp.resolve("job_1_0001-1772400000000-ann-sort-0.jhist"), "no history");
    Run.of("plan", "--trace=" + temp.toUri(), "--fast=1g").failed("job_1_0001");
    Run.of("plan", "--trace=" + temp.toUri(), "--fast=1g", "--until=2026-01-01")
        .failed("there is no job in the trace");
  }

  @Test
  void limitsByUserAndKindAreTriedOnATrace() throws IOException {
    job(1, at(2), "ann", 1000, "a");
    String[] limits = {
      "user:ann=0%", "user:bob=0%", "user:*=0%", "kind:map_output=0%", "kind:SPILL=0%"
    };
    double[] hits = {0, 1, 0, 0, 1};
    for (int i = 0; i < limits.length; i++) {
      JsonNode plan = json("--fast=1g", "-Dtemptier.fill-limits=" + limits[i]);
      assertEquals(hits[i], plan.at("/sizes/0/hitShare").asDouble(), limits[i]);
    }
  }

  private static Instant at(int day) {
    return Instant.parse("2026-03-0" + day + "T12:00:00Z");
  }

  /** An application with one task of a minute on each host, which writes so much for a shuffle. */
  private void job(int number, Instant submitted, String user, long bytes, String... hosts)
      throws IOException {
    String id = "application_1700000000000_" + (1000 + number);
    long millis = submitted.toEpochMilli();
    List<String> events = new ArrayList<>();
    events.add(
        "{\"Event\":\"SparkListenerApplicationStart\",\"App ID\":\"%s\",\"Timestamp\":%d,\"User\":\"%s\"}"
            .formatted(id, millis, user));
    for (String host : hosts) {
      events.add(
          """
          {"Event":"SparkListenerTaskEnd","Task End Reason":{"Reason":"Success"},"Task Info":{"Host":"%s",\
          "Launch Time":%d,"Finish Time":%d},"Task Metrics":{"Shuffle Write Metrics":{"Shuffle Bytes Written":%d}}}\
          """
              .formatted(host, millis, millis + 60_000, bytes));
    }
    Files.write(temp.resolve(id), events);
  }

  private JsonNode json(String... options) throws IOException {
    return Run.of(List.of("plan", "--trace=" + temp, "--json=-"), options).fine().json();
  }

  private Run fine(String... options) {
    return Run.of(List.of("plan", "--trace=" + temp), options).fine();
  }
}
