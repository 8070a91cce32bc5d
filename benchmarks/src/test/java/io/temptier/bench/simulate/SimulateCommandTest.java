/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.temptier.bench.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Help.Ansi;

final class SimulateCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--nodes=0 | --nodes=0 is less than 1",
        "--utilisation=120% | --utilisation",
        "--fast=1g,x | --fast",
        "--fast=0 | --fast=0 is nothing",
        "-Dtemptier.reserve=200% | temptier.reserve",
        "-Dtemptier.demotion.high=x | temptier.demotion.high",
        "--sort=x | --sort: \"x\" is not a size",
        "--reduces=0 | --reduces=0 is less than 1",
        "--hdds=0 | --hdds=0 is less than 1",
        "--keep=2 | --keep: \"2\" is not a percentage",
        "--policy=BEST | BEST",
        "-Dmapreduce.x=1 | is not temptier.something=value"
      })
  void wrongOptionsAreRefusedWithTheirValue(String option, String message) {
    assertEquals(2, run("bench", "simulate", option), err::toString);
    assertTrue(err.toString().contains(message), err::toString);
  }

  @Test
  void aTraceThatIsNotThereIsAFailure(@TempDir Path temp) {
    assertEquals(1, run("bench", "simulate", "--trace", temp.resolve("none.json").toString()));
    assertTrue(err.toString().contains("none.json"), err::toString);
  }

  @Test
  void theRecommendedSizeIsMarked() {
    assertEquals(
        0, run("bench", "simulate", "--nodes=5", "--tasks=2000", "--fast=1g,64g"), err::toString);
    assertTrue(
        out.toString().lines().anyMatch(line -> line.matches(" *-> +64 GiB +100\\.0 % .*")),
        out::toString);
    assertTrue(out.toString().contains("95th percentile"), out::toString);
  }

  @Test
  void theJsonHasTheSizes() throws IOException {
    assertEquals(
        0,
        run("bench", "simulate", "--nodes=5", "--tasks=2000", "--fast=1g,64g", "--json=-"),
        err::toString);
    JsonNode result = new ObjectMapper().readTree(out.toString());
    assertEquals(64L << 30, result.path("recommendedBytes").asLong());
    assertEquals(2, result.path("sizes").size());
    double share = result.path("sizes").path(0).path("hitShare").asDouble();
    assertTrue(share > 0 && share < 1, () -> "hit share " + share);
    assertTrue(
        result.path("nodeTempBytes").path("p95").asLong()
            <= result.path("nodeTempBytes").path("p99").asLong());
  }

  @Test
  void policiesAreComparedWithTheFirst(@TempDir Path temp) throws IOException {
    Path json = temp.resolve("json");
    Path html = temp.resolve("html");
    assertEquals(
        0,
        run(
            "bench",
            "simulate",
            "--nodes=1",
            "--sort=2g",
            "--fast=1g,16g",
            "--policy=FAST_FIRST,RUNS_FIRST,ROUND_ROBIN",
            "--json=" + json,
            "--report=" + html),
        err::toString);
    JsonNode policies = new ObjectMapper().readTree(json.toFile()).path("policies");
    assertEquals(3, policies.size());
    JsonNode first = policies.path(0).path("sizes").path(1);
    assertTrue(first.path("recommended").asBoolean(), policies::toString);
    assertEquals(0, first.path("hddSeconds").asDouble());
    assertTrue(
        policies.path(2).path("sizes").path(1).path("hddSeconds").asDouble() > 0,
        policies::toString);
    assertTrue(out.toString().lines().anyMatch(line -> line.contains("RUNS_FIRST")), out::toString);
    assertTrue(out.toString().contains("MAP_OUTPUT"), out::toString);
    String page = Files.readString(html);
    assertTrue(page.contains("16 GiB is enough"), page);
    // Hit share, spilled bytes, and a curve for each policy.
    assertEquals(5, page.split("<polyline", -1).length - 1);
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), Ansi.OFF, args);
  }
}
