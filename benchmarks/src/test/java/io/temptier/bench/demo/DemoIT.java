// SPDX-License-Identifier: Apache-2.0
package io.temptier.bench.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temptier.cli.main.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Help.Ansi;

/** The demo as a user runs it. */
final class DemoIT {
  @TempDir private Path dir;

  @Test
  void rowsAreSortedSpilledReportedAndCleanedUpAfter() throws Exception {
    Path work = Path.of("target/demo-it").toAbsolutePath();
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.run(
            new PrintWriter(out),
            new PrintWriter(err),
            Ansi.OFF,
            "demo",
            "--rows=150000",
            "--nodes=1",
            "--fast-cap=2m",
            "--work=" + work,
            "--report=" + dir,
            "--json=" + dir.resolve("copy.json"));
    assertEquals(0, code, () -> out + "\n" + err);
    JsonNode report = new ObjectMapper().readTree(dir.resolve("report.json").toFile());
    assertEquals(report, new ObjectMapper().readTree(dir.resolve("copy.json").toFile()));
    assertTrue(report.path("validated").asBoolean(), report.toString());
    assertEquals(0, report.path("failedTasks").asInt());
    String command = report.path("facts").path("command").asText();
    assertTrue(command.startsWith("./temptier demo --rows="), command);
    assertTrue(report.path("jobSeconds").asDouble() > 0);
    assertTrue(report.path("tiers").size() >= 1, report.toString());
    assertTrue(report.path("spilledDown").path("bytes").asLong() > 0, report.toString());
    assertTrue(report.path("refusals").size() > 0, report.toString());
    assertTrue(report.path("samples").size() > 0, report.toString());
    assertTrue(out.toString().contains("rows in order and none missing"), out.toString());
    assertTrue(Files.readString(dir.resolve("report.html")).contains("TempTier demo"));
    try (Stream<Path> left = Files.list(work)) {
      assertEquals(List.of(), left.toList(), "folders are left behind");
    }
  }
}
